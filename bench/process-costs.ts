/** Costs of this machine's processes, read from the kernel. */
import { readFileSync } from 'node:fs'

/** Returns the largest memory that the process ever had, in MB. */
export function peakMemory(pid: number): number {
  return inStatus(pid, 'VmHWM')
}

/** Returns the current memory of the process, in MB. */
export function memoryNow(pid: number): number {
  return inStatus(pid, 'VmRSS')
}

function inStatus(pid: number, line: 'VmHWM' | 'VmRSS'): number {
  const kilobytes = new RegExp(`${line}:\\s+(\\d+)`).exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )
  return Math.round(Number(kilobytes![1]) / 1_024)
}

/** Returns a process and its living children. */
export function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))]
}

/** Returns the parent of a process. */
export function parentOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '')
  return Number(fields.split(' ')[1])
}

/** Returns the CPU time of a process and its ended children in ms; 0 for a process that is just ending. */
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
