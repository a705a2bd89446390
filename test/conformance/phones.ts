import { readJson } from '../../src/rules/text/json-text.ts'
import { findAt, phoneText } from '../../src/rules/hooks/path-expression.ts'
import { readPhone } from '../../src/rules/messaging/phone-reading.ts'
import { runRule } from './cases.ts'
import type { ConformanceCase, Report } from './report.ts'

type PhoneCase = {
  id: string
  input?: unknown
  inputJson?: string
  missing?: boolean
  channelCountry: string
  expect: string | null
  also_accept?: unknown[]
}

export const run = (cases: ConformanceCase[], report: Report): Promise<void> =>
  runRule<PhoneCase>(cases, report, { read })

function read({ input, inputJson, missing, channelCountry }: PhoneCase): string | null {
  const body = readJson(missing ? '{}' : `{"phone":${inputJson ?? JSON.stringify(input)}}`)
  if (!body.ok) throw new Error('its value is not JSON')
  const phone = readPhone(phoneText(findAt(body.value, ['phone'])), channelCountry)
  return phone.ok ? phone.value : null
}
