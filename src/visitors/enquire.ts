import { sql } from 'kysely'
import type { CustomerRef } from '../channels/channel-adapter.ts'
import type { Context } from '../context.ts'
import type { Enquiry } from '../contract/enquiry.ts'
import { fact } from '../facts/fact.ts'
import { ENQUIRY_LIMITS } from '../limits/visitors.ts'
import { readWrittenPhone } from '../messaging/read-written-phone.ts'
import { ServiceError } from '../service-error.ts'
import { takeInOwn, type TakeIn } from './say.ts'
import type { Site } from './site.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock'> & { takeIn: TakeIn }

/**
 * Takes in an enquiry: who sent it is the contact with that number, where it has its country, else with that
 * e-mail; a new one where there is none. Whoever fills in a form may be anybody, so that a contact who is known
 * is not changed by it. What a robot sends is answered like any, and kept nowhere.
 *
 * @throws invalid; not_found where the form was just taken away
 * Spec: Channels › The website's form.
 */
export async function takeEnquiry(
  context: Deps,
  site: Site,
  { leadId, page, submittedAt, openedAt, fields }: Enquiry,
): Promise<{ id: string }> {
  const now = context.clock.now()
  const id = leadId ?? context.ids.uuid()
  if (fields.homepage) return { id }
  const { name, email, phone, message } = fields
  if (!email && !phone) throw wrong('fields.email', fact('enquiry_reach_needed'))
  if (openedAt && isTooQuick(now.getTime() - openedAt.getTime())) {
    throw wrong('openedAt', fact('enquiry_too_quick'))
  }
  const { phone: number, rawPhone } = phone
    ? readWrittenPhone(phone, [])
    : { phone: null, rawPhone: null }
  const isBelieved = submittedAt && now.getTime() - submittedAt.getTime() < ENQUIRY_LIMITS.oldestMs
  if (number === null && email) await knowByEmail(context, site, email)
  await takeInOwn(context.takeIn, site.channel, {
    kind: 'message',
    route: site.channel.route,
    providerMessageId: id,
    customer: {
      ...knownBy(id, number, email ?? null),
      ...(name ? { profileName: name } : {}),
      ...(email ? { email } : {}),
      ...(rawPhone ? { rawPhone } : {}),
    },
    type: 'text',
    text: message,
    ...(page ? { page } : {}),
    at: isBelieved ? submittedAt : null,
  })
  return { id }
}

/** A form that came up after now did so by a browser's clock that is ahead: how long it took is not known. */
const isTooQuick = (tookMs: number) => tookMs >= 0 && tookMs < ENQUIRY_LIMITS.leastMs

function knownBy(id: string, number: string | null, email: string | null): CustomerRef {
  if (number !== null) return { number: number.slice(1) }
  return { providerUserId: email === null ? `enquiry-${id}` : email.toLowerCase() }
}

/** The newest contact with an e-mail is found by it, from now on, however their e-mail changes. */
async function knowByEmail(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { channel }: Site,
  email: string,
): Promise<void> {
  await sql`
    insert into contact_alias (company_id, kind, value, contact_id, learnt_from, created_at)
    select company_id, 'provider', ${`${channel.route}:${email.toLowerCase()}`}, id, 'person',
      ${clock.now()}
    from contact where company_id = ${channel.companyId} and lower(email) = ${email.toLowerCase()}
    order by id desc limit 1
    on conflict do nothing`.execute(db.kysely)
}

function wrong(
  field: string,
  why: ReturnType<typeof fact<'enquiry_reach_needed' | 'enquiry_too_quick'>>,
): ServiceError {
  return new ServiceError('invalid', fact('fields_wrong'), { errors: [{ field, ...why }] })
}
