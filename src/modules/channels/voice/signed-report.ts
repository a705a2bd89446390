/**
 * This service's own form of reports, for calls of any system: signed like this service's webhooks.
 * Spec: Channels › Voice.
 */
import { createHmac } from 'node:crypto'
import { SECOND_MS } from '../../../core/limits/units.ts'
import { readFields, readList, readText } from '../provider/read-values.ts'
import { readInstant, type CallTurn } from './call-report.ts'
import { isFresh, isSameText, type ReportProvider } from './report-provider.ts'

const HEADER = 'x-call-signature'

/** Any system that signs its reports as this service's webhooks are signed. */
export const SIGNED: ReportProvider = {
  mayBeGenuine: ({ [HEADER]: signature }) => /^t=\d{10},v1=[0-9a-f]{64}$/.test(String(signature)),
  isSigned({ headers, body }, secret, now) {
    const [, at, digest] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(String(headers[HEADER])) ?? []
    if (at === undefined || !isFresh(Number(at) * SECOND_MS, now)) return false
    const signed = createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')
    return isSameText(digest!, signed)
  },
  read(report) {
    const { callId, from, to, direction, name, startedAt, turns } = readFields(report)
    const id = readText(callId)
    if (id === undefined) return { ignored: 'a call without callId' }
    return {
      call: {
        callId: id,
        isOutbound: direction === 'outbound',
        from,
        to,
        customerName: name,
        startedAt: readInstant(startedAt),
        turns: readList(turns).flatMap((item): CallTurn[] => {
          const { role, text, at } = readFields(item)
          if (role !== 'caller' && role !== 'agent') return []
          return [{ by: role, text, at: readInstant(at) }]
        }),
      },
    }
  },
}
