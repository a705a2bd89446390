/** What processes of this machine have cost until now, as the kernel tells it. */
import { readFileSync } from 'node:fs'

/** The most memory that the process ever held, in MB. */
export function peakMemory(pid: number): number {
  return inStatus(pid, 'VmHWM')
}

/** The memory that the process holds now, in MB. */
export function memoryNow(pid: number): number {
  return inStatus(pid, 'VmRSS')
}

function inStatus(pid: number, line: 'VmHWM' | 'VmRSS'): number {
  const kilobytes = new RegExp(`${line}:\\s+(\\d+)`).exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )
  return Math.round(Number(kilobytes![1]) / 1_024)
}

/** A process and its children that live. */
export function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))]
}

/** Who has started the process. */
export function parentOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '')
  return Number(fields.split(' ')[1])
}

/** Of a process and of its children that have ended; none of one that ends at this moment. */
export function processorMs(pid: number): number {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return 0
  }
  const fields = stat.replace(/^.*\) /, '').split(' ')
  // In jiffies of 10 ms: own and children's, in the program and in the system.
  return fields.slice(11, 15).reduce((sum, jiffies) => sum + Number(jiffies) * 10, 0)
}
