/** Reports of Retell. Only `call_ended` counts; the same call is also reported as `call_analyzed` and in between. */
import { createHmac } from 'node:crypto'
import { SECOND_MS } from '../../../core/limits/units.ts'
import { readFields, readList, readText } from '../provider/read-values.ts'
import { readInstant, type CallReport, type CallTurn } from './call-report.ts'
import { isFresh, isSameText, type ReportProvider } from './report-provider.ts'

const HEADER = 'x-retell-signature'

/** Retell as a provider of call reports. */
export const RETELL: ReportProvider = {
  mayBeGenuine: ({ [HEADER]: signature }) => /^v=\d{13},d=[0-9a-f]{64}$/.test(String(signature)),
  /** The API key signs the body followed by the time. */
  isSigned({ headers, body }, apiKey, now) {
    const [, at, digest] = /^v=(\d+),d=([0-9a-f]+)$/.exec(String(headers[HEADER])) ?? []
    if (at === undefined || !isFresh(Number(at), now)) return false
    return isSameText(digest!, createHmac('sha256', apiKey).update(body).update(at).digest('hex'))
  },
  read(report) {
    const { event, call: callFields } = readFields(report)
    if (event !== 'call_ended') return { ignored: `a report ${readText(event) ?? 'of nothing'}` }
    const call = readFields(callFields)
    const callId = readText(call.call_id)
    if (callId === undefined) return { ignored: 'a call without id' }
    const startedAt = readInstant(call.start_timestamp)
    const turns = readList(call.transcript_object).flatMap((item): CallTurn[] => {
      const { role, content, words } = readFields(item)
      if (role !== 'user' && role !== 'agent') return []
      // Seconds since the start of the call.
      const { start } = readFields(readList(words)[0])
      const at =
        startedAt && typeof start === 'number' && start >= 0
          ? readInstant(startedAt.getTime() + start * SECOND_MS)
          : null
      return [{ by: role === 'user' ? 'caller' : 'agent', text: content, at }]
    })
    const { from_number: from, to_number: to } = call
    const isOutbound = call.direction === 'outbound'
    return { call: { callId, isOutbound, from, to, startedAt, turns } satisfies CallReport }
  },
}
