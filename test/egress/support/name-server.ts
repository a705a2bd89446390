import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'

type Zone = Record<
  string,
  {
    A?: string[]
    AAAA?: string[]
    ttl?: number
    /** Answers for the requested family: no such name, a server failure, or no answer at all. */
    fault?: 'nxdomain' | 'servfail' | 'silent'
    /** The fault affects only IPv6 questions. */
    onlyAAAA?: boolean
  }
>

/** Creates a small DNS server on loopback that knows the names of its zone and no others. */
export async function createNameServer(zone: Zone) {
  const socket = createSocket('udp4')
  /** The questions received, such as `shop.example A`. */
  const questions: string[] = []
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    questions.push(`${name} ${type}`)
    const entry = zone[name]
    const fault =
      entry === undefined ? 'nxdomain' : entry.onlyAAAA && type === 'A' ? undefined : entry.fault
    if (fault === 'silent') return
    const addresses = fault === undefined ? (entry?.[type as 'A' | 'AAAA'] ?? []) : []
    const rcode = fault === 'nxdomain' ? 3 : fault === 'servfail' ? 2 : 0
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 | rcode, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(addresses.length, 6)
    header.writeUInt32BE(0, 8)
    const records = addresses.map((address) => record(address, entry?.ttl ?? 60))
    socket.send(
      Buffer.concat([header, query.subarray(12, end), ...records]),
      from.port,
      from.address,
    )
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${socket.address().port}`
  return { address, questions, close: () => void socket.close() }
}

function readQuestion(query: Buffer): { name: string; type: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += length + 1
  }
  const type = query.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A'
  return { name: labels.join('.'), type, end: at + 5 }
}

function record(address: string, ttl: number): Buffer {
  const data = isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        address.replaceAll(/(?<=^|:)\w+/g, (group) => group.padStart(4, '0')).replaceAll(':', ''),
        'hex',
      )
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(data.length === 4 ? 1 : 28, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(ttl, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
