/** An operator's command whose reader ends early, as `doctor | head` does. */
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startOperator } from '../support/operator.ts'

test('a command continues and says nothing more when the reader of its output has ended', async () => {
  const doctor = startOperator({ DATABASE_URL: 'postgres://wasla@127.0.0.1:1/wasla' }, ['doctor'])
  doctor.stdout!.destroy()
  const [complaint, [code]] = await Promise.all([text(doctor.stderr!), once(doctor, 'exit')])
  expect({ complaint, code }).toEqual({ complaint: '', code: 1 })
})
