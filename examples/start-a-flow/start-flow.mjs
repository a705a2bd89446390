// Starts a flow by its hook once, however often the request is repeated. Node 18 or newer, nothing to install.
//
//   HOOK_URL=https://… node start-flow.mjs [BODY_FILE KEY]
//
// Ends with 0 when the flow has started, with 1 when the request was refused, and with 75
// when it is to be run again later with the same key. HOOK_URL is a secret: it is never printed.
import { readFile } from 'node:fs/promises'

const SAMPLE = JSON.stringify({
  customer: { name: 'Sara', phone: '+12025550143', language: 'en' },
  order: { number: '1043' },
})
const TRY_AGAIN = [
  'rate_limited',
  'template_limit_reached',
  'customer_limit_reached',
  'channel_unavailable',
  'service_unavailable',
]
const TIMEOUT_MS = 15_000
const MOST_REQUESTS = 6

const hookUrl = process.env.HOOK_URL
const backoffMs = Number(process.env.BACKOFF_SECONDS ?? 60) * 1_000
const [bodyFile, key = bodyFile ? '' : 'order-1043-ready'] = process.argv.slice(2)
if (!hookUrl || !key) {
  console.error('Usage: HOOK_URL=… node start-flow.mjs [BODY_FILE KEY]')
  process.exit(2)
}
const body = bodyFile ? await readFile(bodyFile) : SAMPLE

/** Sends one request. Returns its HTTP status (0 without a response) and the fields of the HookResponse. */
async function ask() {
  try {
    const response = await fetch(hookUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    return { http: response.status, ...readAnswer(text) }
  } catch (error) {
    return { http: 0, id: null, status: 'no_answer', detail: error.cause?.code ?? error.name }
  }
}

/** Returns the fields of a HookResponse. A proxy may respond with something else. */
function readAnswer(text) {
  try {
    const { id = null, status = 'unknown', detail = null } = JSON.parse(text)
    return { id, status, detail }
  } catch {
    return { id: null, status: 'unknown', detail: null }
  }
}

function isWorthAnotherTry({ http, status }) {
  return TRY_AGAIN.includes(status) || http === 0 || http === 429 || http >= 500
}

for (let request = 1; ; request += 1) {
  const answer = await ask()
  const { http, id, status, detail } = answer
  if (http === 200 || http === 202) {
    console.log(`${status} ${id}`)
    process.exit(0)
  }
  console.error(`HTTP ${http} ${status}: ${detail ?? ''}`)
  if (!isWorthAnotherTry(answer)) process.exit(1)
  if (request === MOST_REQUESTS) process.exit(75)
  const waitMs = backoffMs * 2 ** (request - 1)
  await new Promise((resolve) => setTimeout(resolve, waitMs))
}
