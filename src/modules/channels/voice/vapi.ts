/** Vapi's `end-of-call-report`, authenticated by the secret in its server's settings. */
import { readFields, readList, readText } from '../provider/read-values.ts'
import { readInstant, type CallTurn } from './call-report.ts'
import { isSameText, type ReportProvider } from './report-provider.ts'

const HEADER = 'x-vapi-secret'
const SPEAKERS = new Map<unknown, CallTurn['by']>([
  ['user', 'caller'],
  ['bot', 'agent'],
  ['assistant', 'agent'],
])

/** Vapi as a provider of call reports. */
export const VAPI: ReportProvider = {
  mayBeGenuine: ({ [HEADER]: secret }) => typeof secret === 'string' && secret !== '',
  isSigned: ({ headers }, secret) => isSameText(String(headers[HEADER]), secret),
  read(report) {
    const message = readFields(readFields(report).message)
    const { type } = message
    if (type !== 'end-of-call-report') {
      return { ignored: `a message ${readText(type) ?? 'of nothing'}` }
    }
    const call = readFields(message.call)
    const callId = readText(call.id)
    if (callId === undefined) return { ignored: 'a call without id' }
    const customer = readFields(message.customer ?? call.customer)
    const said = readFields(message.artifact).messages ?? message.messages
    const turns = readList(said).flatMap((item): CallTurn[] => {
      const { role, message: text, time } = readFields(item)
      const by = SPEAKERS.get(role)
      return by === undefined ? [] : [{ by, text, at: readInstant(time) }]
    })
    return {
      call: {
        callId,
        // Vapi names the customer for both directions.
        isOutbound: false,
        from: customer.number ?? customer.sipUri,
        to: null,
        customerName: customer.name,
        startedAt: readInstant(message.startedAt) ?? readInstant(call.startedAt),
        turns,
      },
    }
  },
}
