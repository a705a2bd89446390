/**
 * Creates an Owner from the command line, for installations by a program. The password comes from the terminal or
 * from standard input, because all users of the machine can see a command's arguments.
 */
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { Writable, type Readable } from 'node:stream'
import type { z } from 'zod'
import { createOwner as create } from '../../src/modules/accounts/create-owner.ts'
import { NewOwner } from '../../src/contract/dashboard/session.ts'
import type { Context } from '../../src/infra/context.ts'
import { fieldErrors } from '../../src/contract/field-errors.ts'
import { formatFact } from '../../src/i18n/format-fact.ts'
import { onDatabase, type Setting } from './command.ts'
import { readUuid } from '../../src/rules/text/uuid.ts'

/** The command that creates an Owner of a new account, or of the account whose id is given. */
export const createOwner = onDatabase('create-owner EMAIL NAME ACCOUNT_ID|ACCOUNT_NAME', makeOwner)

async function makeOwner(
  context: Context,
  words: string[],
  { input: typed, print }: Setting,
): Promise<void> {
  const [email = '', name = '', account = '', ...more] = words
  if (account === '' || more.length > 0) {
    throw new Error(
      'Usage: create-owner EMAIL NAME ACCOUNT_ID|ACCOUNT_NAME. Put values with spaces in quotes. You are prompted for the password, or it is read from standard input.',
    )
  }
  const accountId = readUuid(account)
  // Errors in the other fields are reported before a password is typed.
  requireValid(NewOwner.omit({ password: true }).safeParse({ email, name, accountName: account }))
  const password = typed.isTTY ? await askTwice(typed) : await readInput(typed)
  const input = NewOwner.safeParse({ email, name, accountName: account, password })
  requireValid(input)
  const made = await create(context, { ...input.data!, accountId })
  print(`${input.data!.email} is now an Owner of account ${made.accountId} and can sign in.`)
}

const FIELD_NAMES: Record<string, string> = {
  email: 'EMAIL',
  name: 'NAME',
  accountName: 'ACCOUNT_NAME',
  password: 'The password',
}

/** Checks the result of a schema. @throws with the faulty fields, without values because one of them is a password */
function requireValid({ error }: { error?: z.ZodError }): void {
  if (!error) return
  const lines = fieldErrors(error.issues).map(
    ({ field, ...rule }) => `${FIELD_NAMES[field] ?? field}: ${formatFact(rule, 'en')}`,
  )
  throw new Error(lines.join('\n'))
}

/** Returns all of standard input, without the line end that `echo` and editors append. */
async function readInput(typed: Readable): Promise<string> {
  return (await text(typed)).replace(/\r?\n$/, '')
}

/** Returns a password that was typed twice without being shown. @throws when the two differ */
async function askTwice(typed: Readable): Promise<string> {
  let isQuiet = false
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isQuiet) process.stdout.write(chunk)
      done()
    },
  })
  const terminal = createInterface({ input: typed, output, terminal: true })
  const ask = async (question: string) => {
    process.stdout.write(question)
    isQuiet = true
    const answer = await terminal.question('')
    isQuiet = false
    process.stdout.write('\n')
    return answer
  }
  try {
    const password = await ask('Password: ')
    if ((await ask('Repeat password: ')) !== password)
      throw new Error('The passwords do not match.')
    return password
  } finally {
    terminal.close()
  }
}
