/** Receivers without manners, and what the log of a delivery must say of each. */
import { gzipSync } from 'node:zlib'
import { drip, reply, type Answer } from '../egress/support/receiver.ts'
import type { Fault, LookUp } from '../support/hostile-receiver.ts'

const BOMB = gzipSync(Buffer.alloc(10_000_000))
const LONG = 'x'.repeat(10_240)
/** Longer than a connection may take to open, and longer than any machine takes for all other rows. */
const IN_TIME_MS = 7_000
const TOO_LATE_MS = 100_000

export type Row = {
  what: string
  /** The first answer; null says nothing, for ever. Kind unless told. */
  answer?: Answer | null
  /** With a fault, or a name that leads nowhere good at first, the first attempt reaches no receiver. */
  fault?: Fault
  lookUps?: LookUp[]
  /** What the log says of the first attempt. */
  error: string | null
  status?: number | null
  head?: Buffer | string
}

const after =
  (ms: number, answer: Answer): Answer =>
  (socket, request) => {
    const timer = setTimeout(() => answer(socket, request), ms)
    socket.once('close', () => clearTimeout(timer))
  }
const write =
  (text: string): Answer =>
  (socket) =>
    void socket.write(text)
const moved = (status: string) => reply(status, '', ['location: /target'])

/** As much as the other side takes. */
const flood: Answer = (socket) => {
  const piece = Buffer.alloc(65_536, 'x')
  const pour = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', pour)
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n')
  pour()
}

/** By the first label of the receiver's host name. */
export const ROWS: Record<string, Row> = {
  'ok-200': { what: '200', error: null, status: 200 },
  'ok-201': { what: '201', answer: reply('201 Created'), error: null, status: 201 },
  'ok-204': { what: '204', answer: reply('204 No Content'), error: null, status: 204 },
  'ok-206': { what: '206', answer: reply('206 Partial Content'), error: null, status: 206 },
  'ok-299': { what: 'a 2XX nobody knows', answer: reply('299 Fine'), error: null, status: 299 },
  'ok-slow': {
    what: '200 after seconds, within the ten',
    answer: after(IN_TIME_MS, reply('200 OK')),
    error: null,
    status: 200,
  },
  'ok-long': {
    what: '200 with 10 KB, of which the first 2,048 bytes are kept',
    answer: reply('200 OK', LONG),
    error: null,
    status: 200,
    head: LONG.slice(0, 2_048),
  },
  'ok-flood': {
    what: '200 and a terabyte announced',
    answer: flood,
    error: null,
    status: 200,
    head: Buffer.alloc(2_048, 'x'),
  },
  'ok-bomb': {
    what: '200 with a gzip bomb, kept raw',
    answer: reply('200 OK', BOMB, ['content-encoding: gzip']),
    error: null,
    status: 200,
    head: BOMB.subarray(0, 2_048),
  },
  'ok-drip': {
    what: '200 at once and a body that drips for ever',
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
      drip(socket, 150, 'x')
    },
    error: null,
    status: 200,
  },
  'ok-reset': {
    what: '200 and a reset inside the body',
    answer: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\npart'),
    error: null,
    status: 200,
    head: 'part',
  },
  'ok-bytes': {
    what: '200 with NUL and bytes that are no text',
    answer: reply('200 OK', Buffer.from([0, 0xff, 0xd8, 0x00, 0x41])),
    error: null,
    status: 200,
    head: Buffer.from([0, 0xff, 0xd8, 0x00, 0x41]),
  },
  'ok-cut': {
    what: '200 with a character that is cut at 2,048 bytes',
    answer: reply('200 OK', `${'x'.repeat(2_047)}\u0645`),
    error: null,
    status: 200,
    head: Buffer.from([...Buffer.alloc(2_047, 'x'), 0xd9]),
  },
  'ok-hints': {
    what: 'early hints before the 200',
    answer: (socket, request) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')
      reply('200 OK')(socket, request)
    },
    error: null,
    status: 200,
  },
  script: {
    what: '500 with a page of scripts, kept as the bytes that it is',
    answer: reply('500 Internal Server Error', '<script>alert(1)</script>'),
    error: 'http_error',
    status: 500,
    head: '<script>alert(1)</script>',
  },
  'status-400': { what: '400', answer: reply('400 No'), error: 'http_error', status: 400 },
  'status-401': { what: '401', answer: reply('401 No'), error: 'http_error', status: 401 },
  'status-403': { what: '403', answer: reply('403 No'), error: 'http_error', status: 403 },
  'status-404': { what: '404', answer: reply('404 No'), error: 'http_error', status: 404 },
  'status-429': {
    what: '429 with Retry-After, which changes nothing',
    answer: reply('429 Slow down', '', ['retry-after: 86400']),
    error: 'http_error',
    status: 429,
  },
  'status-503': { what: '503', answer: reply('503 No'), error: 'http_error', status: 503 },
  'moved-300': {
    what: '300 without a location',
    answer: reply('300 Multiple Choices'),
    error: 'redirect_refused',
    status: 300,
  },
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status) => [
      `moved-${status}`,
      { what: `${status}`, answer: moved(`${status} Moved`), error: 'redirect_refused', status },
    ]),
  ),
  'moved-elsewhere': {
    what: '302 to another server',
    answer: reply('302 Found', '', ['location: https://user:pw@other.example:8443/x?key=secret']),
    error: 'redirect_refused',
    status: 302,
  },
  'moved-304': {
    what: '304',
    answer: reply('304 Not Modified'),
    error: 'redirect_refused',
    status: 304,
  },
  'switches-101': {
    what: '101',
    answer: write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    error: 'bad_response',
  },
  'interim-flood': {
    what: 'a flood of interim answers',
    answer: (socket) => drip(socket, 1, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(50)),
    error: 'bad_response',
  },
  garbage: { what: 'no HTTP', answer: write('SSH-2.0-OpenSSH_9.2\r\n'), error: 'bad_response' },
  'http-09': {
    what: 'HTTP 0.9',
    answer: (socket) => socket.end('<html>hello</html>'),
    error: 'bad_response',
  },
  'two-lengths': {
    what: 'a length and chunks',
    answer: write(
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ),
    error: 'bad_response',
  },
  'huge-headers': {
    what: 'headers without end',
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      drip(socket, 1, `x-more: ${'x'.repeat(4_000)}\r\n`)
    },
    error: 'bad_response',
  },
  'header-drip': {
    what: 'headers that drip, one byte at a time',
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-long: ')
      drip(socket, 150, 'x')
    },
    error: 'timeout',
  },
  silent: { what: 'silence', answer: null, error: 'timeout' },
  'too-late': {
    what: '200 after more than ten seconds',
    answer: after(TOO_LATE_MS, reply('200 OK')),
    error: 'timeout',
  },
  'reset-before': {
    what: 'a reset before the headers',
    answer: (socket) => void socket.destroy(),
    error: 'connection_reset',
  },
  'reset-inside': {
    what: 'a reset inside the headers',
    answer: (socket) => socket.end('HTTP/1.1 200 OK\r\nx-a: '),
    error: 'connection_reset',
  },
  refused: { what: 'nothing that listens', fault: 'refused', error: 'connect_refused' },
  unanswered: { what: 'a connection that hangs', fault: 'unanswered', error: 'connect_timeout' },
  expired: { what: 'an expired certificate', fault: 'expired', error: 'tls_failed' },
  'other-name': { what: 'a certificate of another name', fault: 'other_name', error: 'tls_failed' },
  'self-signed': { what: 'a self-signed certificate', fault: 'self_signed', error: 'tls_failed' },
  'handshake-stalls': {
    what: 'a handshake that stalls',
    fault: 'handshake_stalls',
    error: 'tls_failed',
  },
  'plain-http': { what: 'plain HTTP', fault: 'plain_http', error: 'tls_failed' },
  'now-private': {
    what: 'a name that leads to a private address now',
    lookUps: [['10.0.0.1'], ['127.0.0.1']],
    error: 'address_refused',
  },
  mixed: {
    what: 'a name with a public and a private address',
    lookUps: [['127.0.0.1', '169.254.169.254'], ['127.0.0.1']],
    error: 'address_refused',
  },
  'odd-spelling': {
    what: 'a name that is answered with an odd spelling of an address',
    lookUps: [['2130706433'], ['127.0.0.1']],
    error: 'address_refused',
  },
  'mapped-address': {
    what: 'a name that leads to a private address inside IPv6',
    lookUps: [['::ffff:10.0.0.1'], ['127.0.0.1']],
    error: 'address_refused',
  },
  'no-address': {
    what: 'a name without an address',
    lookUps: [[], ['127.0.0.1']],
    error: 'dns_failed',
  },
  servfail: {
    what: 'name servers that fail',
    lookUps: ['servfail', ['127.0.0.1']],
    error: 'dns_failed',
  },
  'dns-hangs': {
    what: 'name servers that say nothing',
    lookUps: ['hangs', ['127.0.0.1']],
    error: 'dns_failed',
  },
}
