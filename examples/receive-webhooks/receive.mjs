// Receives webhook events: verified, stored once, answered immediately, processed afterwards.
// Node 18 or newer, nothing to install.
//
//   SIGNING_SECRETS=whsec_… PORT=8080 INBOX=inbox node receive.mjs
//   node receive.mjs vectors test-vectors.json
//
// It listens on 127.0.0.1: your web server holds the certificate and passes POST requests on, body
// and headers unchanged. SIGNING_SECRETS holds two secrets, with a space between, during a rotation.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { closeSync, fsyncSync, linkSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import path from 'node:path'

const MOST_BYTES = 65_536
const MOST_SIGNATURES = 8
const TOLERANCE_SECONDS = 300
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000
const secrets = (process.env.SIGNING_SECRETS ?? '').split(/\s+/).filter(Boolean)
const inbox = process.env.INBOX ?? 'inbox'

/** Your processing. If it throws or is interrupted, it runs again, so it must be safe to repeat. */
function work(event) {
  console.log(`done ${event.type} ${event.id}`)
}

/** Returns true when the header signs exactly these bytes with one of the secrets, close to `now` (seconds). */
function isGenuine(header, body, known, now) {
  let t = null
  const signatures = []
  for (const part of (header ?? '').split(',')) {
    if (/\s/.test(part)) return false
    const [, name, value] = /^([^=]*)=(.*)$/.exec(part) ?? []
    if (name === 't') {
      if (t !== null || !/^(0|[1-9][0-9]{0,11})$/.test(value)) return false
      t = value
    } else if (name === 'v1' && /^[0-9a-f]{64}$/.test(value)) {
      signatures.push(Buffer.from(value))
    }
  }
  if (t === null || signatures.length === 0 || signatures.length > MOST_SIGNATURES) return false
  if (Math.abs(now - Number(t)) > TOLERANCE_SECONDS) return false
  let found = false
  for (const secret of known.filter(Boolean)) {
    const expected = Buffer.from(
      createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex'),
    )
    for (const signature of signatures) {
      // The comparison takes constant time, and the loop does not end early.
      found = timingSafeEqual(expected, signature) || found
    }
  }
  return found
}

/**
 * Stores an event once, in the order write, flush, rename, so that a power failure leaves all of it or nothing. Returns
 * false if it is stored already. With a database, this is an insert with the id as primary key.
 */
function store(id, body) {
  const written = path.join(inbox, `${id}.${process.pid}.part`)
  const file = openSync(written, 'w')
  try {
    writeFileSync(file, body)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(written, path.join(inbox, `${id}.json`))
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    unlinkSync(written)
  }
}

/** Processes stored events, and deletes those older than 30 days. */
function workThrough() {
  for (const name of existsSync(inbox) ? readdirSync(inbox) : []) {
    if (!name.endsWith('.json')) continue
    const file = path.join(inbox, name)
    const done = file.replace(/json$/, 'done')
    try {
      if (!existsSync(done)) {
        work(JSON.parse(readFileSync(file, 'utf8')))
        writeFileSync(done, '')
      } else if (Date.now() - statSync(file).mtimeMs > KEPT_MS) {
        unlinkSync(file)
        unlinkSync(done)
      }
    } catch (error) {
      console.error(`${name} is left for the next time: ${error.message}`)
    }
  }
}

/** Returns the status of the response. Only stored events may be answered with 2xx. */
function receive(method, header, body) {
  if (method !== 'POST') return 405
  if (!isGenuine(header, body, secrets, Date.now() / 1_000)) {
    console.log('refused')
    return 401
  }
  const event = JSON.parse(body.toString('utf8'))
  if (!/^evt_[0-9a-f]{32}$/.test(event.id)) return 400
  // Test events that a member sent from the dashboard.
  const word = event.test ? 'test' : store(event.id, body) ? 'stored' : 'again'
  console.log(`${word} ${event.type} ${event.id}`)
  return 204
}

const server = createServer((request, response) => {
  const parts = []
  let size = 0
  request.on('data', (part) => {
    size += part.length
    if (size <= MOST_BYTES) parts.push(part)
  })
  request.on('end', () => {
    let status = 413
    try {
      const header = request.headers['x-service-signature']
      if (size <= MOST_BYTES) status = receive(request.method, header, Buffer.concat(parts))
    } catch (error) {
      // The event is not stored, so the service will retry.
      console.error(error.message)
      status = 500
    }
    response.writeHead(status).end()
    setImmediate(workThrough)
  })
})

/** Prints whether this program agrees with each test vector. */
function checkVectors(file) {
  const { vectors } = JSON.parse(readFileSync(file, 'utf8'))
  const wrong = vectors.filter(({ header, bodyBase64, secrets: known, now, valid }) => {
    return isGenuine(header, Buffer.from(bodyBase64, 'base64'), known, now) !== valid
  })
  for (const { name } of wrong) console.log(`wrong: ${name}`)
  console.log(`${vectors.length - wrong.length} of ${vectors.length} vectors`)
  process.exit(wrong.length === 0 ? 0 : 1)
}

const [command, vectorsFile] = process.argv.slice(2)
if (command === 'vectors') checkVectors(vectorsFile)
if (secrets.length === 0) {
  console.error('Set SIGNING_SECRETS to the signing secret of your endpoint.')
  process.exit(2)
}
mkdirSync(inbox, { recursive: true })
workThrough()
server.requestTimeout = 15_000
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})
