/**
 * The person's second factor: codes of an app on their phone, and ten recovery codes for the case that it is lost. It
 * applies in every account.
 */
import type { Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type {
  BegunSecondFactor,
  RecoveryCodes,
  SecondFactorView,
} from '../../contract/dashboard/second-factor.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import type { Ids } from '../../core/ids.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import { tokenHash } from '../../infra/secrets/token-hash.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'
import type { Session } from './load-session.ts'
import { auditedTransaction } from './audited-transaction.ts'
import { countFailedSignIn, clearFailedSignIns, codeCounter } from './throttle-sign-in.sql.ts'
import { otpauthUri, findTimeStep, toBase32 } from './totp.ts'
import { readSecret, useCode } from './use-code.ts'

type WithKeyRing = Context & { keyRing: KeyRing }

/** Returns whether a person's second factor is on, and the number of unused recovery codes. */
export async function viewSecondFactor(
  { db }: Context,
  { actor, mustSetUpSecondFactor }: Session,
): Promise<SecondFactorView> {
  const { personId } = actor
  const row = await db.kysely
    .selectFrom('person')
    .leftJoin('secondFactor', 'secondFactor.personId', 'person.id')
    .select(({ selectFrom, fn }) => [
      'secondFactor.confirmedAt',
      selectFrom('recoveryCode')
        .select(fn.countAll<number>().as('left'))
        .where('personId', '=', personId)
        .as('left'),
    ])
    .where('person.id', '=', personId)
    .executeTakeFirstOrThrow()
  return {
    isOn: row.confirmedAt !== null,
    onSince: row.confirmedAt?.toISOString() ?? null,
    recoveryCodesLeft: row.confirmedAt ? Number(row.left) : 0,
    mustSetUp: mustSetUpSecondFactor,
  }
}

/**
 * Begins a second factor: creates a secret, returned this once, which takes effect when a code of it was confirmed.
 * Replaces one that was begun before.
 * @throws conflict when one is on
 */
export async function beginSecondFactor(
  { db, ids, clock, keyRing }: WithKeyRing,
  { actor }: Session,
): Promise<BegunSecondFactor> {
  const { personId, email } = actor
  const secret = toBase32(randomBytes(ids, SIGN_IN_LIMITS.codeSecretBytes))
  const id = ids.uuid()
  const keyContext = { table: 'second_factor', column: 'secret', rowId: id, personId }
  await auditedTransaction({ db, ids, clock }, actor, async (tx, _, now) => {
    await tx
      .deleteFrom('secondFactor')
      .where('personId', '=', personId)
      .where('confirmedAt', 'is', null)
      .execute()
    const made = await tx
      .insertInto('secondFactor')
      .values({ id, personId, secret: keyRing.encrypt(secret, keyContext), createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (made.numInsertedOrUpdatedRows === 0n) {
      throw new ServiceError('conflict', fact('second_factor_on'))
    }
  })
  return { secret, uri: otpauthUri(secret, email) }
}

/**
 * Switches the second factor on with a code of the app, which is used up by that. Other sessions end, since they
 * proved the password alone. Returns the recovery codes, this once.
 *
 * Isolation: the person is locked first, as at every sign-in: a concurrent session with the password alone either
 * exists and is ended, or starts afterwards and requires a code.
 * @throws conflict when none is begun, or it is on; invalid
 */
export async function confirmSecondFactor(
  { db, ids, clock, keyRing }: WithKeyRing,
  { id: sessionId, actor }: Session,
  { code }: { code: string },
): Promise<RecoveryCodes> {
  const { personId } = actor
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    await tx.selectFrom('person').select('id').where('id', '=', personId).forUpdate().execute()
    const factor = await tx
      .selectFrom('secondFactor')
      .select(['id', 'personId', 'secret', 'confirmedAt'])
      .where('personId', '=', personId)
      .forUpdate()
      .executeTakeFirstOrThrow(() => new ServiceError('conflict', fact('second_factor_not_begun')))
    if (factor.confirmedAt) throw new ServiceError('conflict', fact('second_factor_on'))
    const usedStep = findTimeStep(readSecret(keyRing, factor), code, now)
    if (usedStep === null) throw wrongCode()
    await tx
      .updateTable('secondFactor')
      .set({ confirmedAt: now, usedStep })
      .where('id', '=', factor.id)
      .execute()
    await tx
      .deleteFrom('session')
      .where('personId', '=', personId)
      .where('id', '<>', sessionId)
      .execute()
    await audit('second_factor.switched_on', { kind: 'person', id: personId })
    return writeRecoveryCodes(tx, ids, personId)
  })
}

/**
 * Switches the second factor off, with a code.
 * @throws invalid for a wrong one; conflict when none is on; rate_limited
 */
export async function switchOffSecondFactor(
  context: WithKeyRing,
  session: Session,
  { code }: { code: string },
): Promise<void> {
  const { personId } = session.actor
  await withCode(context, session, code, async (tx, audit) => {
    await dropSecondFactor(tx, personId)
    await audit('second_factor.switched_off', { kind: 'person', id: personId })
  })
}

/** Replaces the recovery codes by ten new ones. @throws as `switchOffSecondFactor` */
export async function renewRecoveryCodes(
  context: WithKeyRing,
  session: Session,
  { code }: { code: string },
): Promise<RecoveryCodes> {
  const { personId } = session.actor
  return withCode(context, session, code, async (tx, audit) => {
    await audit('second_factor.recovery_codes_renewed', { kind: 'person', id: personId })
    return writeRecoveryCodes(tx, context.ids, personId)
  })
}

/** Deletes a person's second factor, with its recovery codes. Returns false when there was none. */
export async function dropSecondFactor(tx: Transaction<DB>, personId: string): Promise<boolean> {
  await tx.deleteFrom('recoveryCode').where('personId', '=', personId).execute()
  const dropped = await tx
    .deleteFrom('secondFactor')
    .where('personId', '=', personId)
    .executeTakeFirst()
  return dropped.numDeletedRows > 0n
}

/** Runs work that requires a code of the signed-in person. The code is counted before it is checked. */
async function withCode<Value>(
  context: WithKeyRing,
  { id, actor }: Session,
  code: string,
  work: (
    tx: Transaction<DB>,
    audit: Parameters<Parameters<typeof auditedTransaction<Value>>[2]>[1],
  ) => Promise<Value>,
): Promise<Value> {
  const { db, ids, clock, keyRing } = context
  const taken = await countFailedSignIn(context, codeCounter({ sessionId: id }))
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const used = await useCode(tx, { keyRing, now }, { personId: actor.personId, code })
    if (!used) throw wrongCode()
    await clearFailedSignIns(tx, taken)
    return work(tx, audit)
  })
}

async function writeRecoveryCodes(
  tx: Transaction<DB>,
  ids: Ids,
  personId: string,
): Promise<RecoveryCodes> {
  const { recoveryCodes, recoveryCodeBytes } = SIGN_IN_LIMITS
  const codes = Array.from({ length: recoveryCodes }, () =>
    toBase32(randomBytes(ids, recoveryCodeBytes)),
  )
  await tx.deleteFrom('recoveryCode').where('personId', '=', personId).execute()
  await tx
    .insertInto('recoveryCode')
    .values(codes.map((code) => ({ personId, codeHash: tokenHash(code) })))
    .execute()
  return { recoveryCodes: codes.map((code) => code.match(/.{4}/g)!.join('-').toLowerCase()) }
}

function randomBytes(ids: Ids, bytes: number): Buffer {
  return Buffer.from(ids.token(bytes), 'base64url')
}

function wrongCode(): ServiceError {
  return wrongField('code', fact('code_wrong'))
}
