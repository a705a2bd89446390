// Reports a call to a channel for phone calls, signed. Node 18 or newer, nothing to install.
//
//   CHANNEL_URL=https://… CHANNEL_SECRET=… node report-call.mjs [REPORT_FILE]
//
// Ends with 0 when the report was taken (also when it was known already), with 1 when it was refused, and with
// 75 when it is to be sent again later: the same report is one call, however often it comes.
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const SAMPLE = JSON.stringify({
  callId: 'call-1043',
  from: '+12025550143',
  to: '+12025550100',
  direction: 'inbound',
  startedAt: '2026-11-20T09:00:00Z',
  endedAt: '2026-11-20T09:01:10Z',
  turns: [
    { role: 'agent', text: 'Good morning, how can I help?', at: '2026-11-20T09:00:02Z' },
    { role: 'caller', text: 'Where is my order 1043?', at: '2026-11-20T09:00:06Z' },
  ],
})

const { CHANNEL_URL: url, CHANNEL_SECRET: secret } = process.env
if (!url || !secret) {
  console.error('Usage: CHANNEL_URL=… CHANNEL_SECRET=… node report-call.mjs [REPORT_FILE]')
  process.exit(2)
}
const file = process.argv[2]
const body = file ? await readFile(file, 'utf8') : SAMPLE

// The exact bytes that are sent, after the time of sending in seconds and a full stop.
const t = Math.floor(Date.now() / 1_000)
const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
const response = await fetch(url, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Call-Signature': `t=${t},v1=${v1}` },
  body,
  signal: AbortSignal.timeout(15_000),
}).catch(() => null)

console.log(response ? `answered ${response.status}` : 'not answered')
const isLater = response === null || response.status === 429 || response.status >= 500
process.exitCode = response?.ok ? 0 : isLater ? 75 : 1
