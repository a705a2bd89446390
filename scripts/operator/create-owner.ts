/**
 * Makes an Owner from the command line, for those who set a service up by a program. The password comes
 * from the terminal or from standard input: what is typed as a word of a command is seen by everybody
 * on the machine.
 */
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { Writable } from 'node:stream'
import { createOwner as create } from '../../src/accounts/create-owner.ts'
import { NewOwner } from '../../src/contract/dashboard/session.ts'
import type { Context } from '../../src/context.ts'
import { isId, onDatabase } from './command.ts'

export const createOwner = onDatabase('create-owner EMAIL NAME ACCOUNT_ID|ACCOUNT_NAME', makeOwner)

async function makeOwner(context: Context, words: string[]): Promise<void> {
  const [email = '', name = '', account = '', ...more] = words
  if (account === '' || more.length > 0) {
    throw new Error(
      'Three words are needed, in quotes where there are spaces: create-owner EMAIL NAME ACCOUNT_ID|ACCOUNT_NAME. The password is asked for, or read from standard input.',
    )
  }
  const accountId = isId(account) ? account : null
  // What can be wrong without a password is told before one is typed.
  requireRight(NewOwner.omit({ password: true }).safeParse({ email, name, accountName: account }))
  const password = process.stdin.isTTY ? await askTwice() : await readInput()
  const input = NewOwner.safeParse({ email, name, accountName: account, password })
  requireRight(input)
  const made = await create(context, { ...input.data!, accountId })
  console.log(`${input.data!.email} is an Owner of the account ${made.accountId} and can sign in.`)
}

const WORDS: Record<string, string> = {
  email: 'EMAIL',
  name: 'NAME',
  accountName: 'ACCOUNT_NAME',
  password: 'The password',
}

/** No value is repeated: one of them is a password. */
function requireRight(read: ReturnType<typeof NewOwner.safeParse>): void
function requireRight(read: {
  success: boolean
  error?: { issues: { path: PropertyKey[]; message: string }[] }
}): void
function requireRight(read: {
  success: boolean
  error?: { issues: { path: PropertyKey[]; message: string }[] }
}): void {
  if (read.success) return
  const lines = read.error!.issues.map(
    ({ path, message }) => `${WORDS[String(path[0])] ?? String(path[0])}: ${message}`,
  )
  throw new Error(lines.join('\n'))
}

/** All of standard input, but for the line end that `echo` and editors put behind it. */
async function readInput(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '')
}

async function askTwice(): Promise<string> {
  let isQuiet = false
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isQuiet) process.stdout.write(chunk)
      done()
    },
  })
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
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
    if ((await ask('Once more: ')) !== password) throw new Error('The two are not the same.')
    return password
  } finally {
    terminal.close()
  }
}
