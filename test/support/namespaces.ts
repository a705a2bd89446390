/** Programs in separate namespaces, as systemd and container runtimes start them. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { quickFolder } from './quick-folder.ts'

/**
 * Returns the command line that runs a program with a separate /tmp, and with what `unshare` is asked for
 * besides. A clone of this project in the common /tmp stays visible. `first` is a shell command that runs
 * before.
 */
export const within = (unshare: string[], first: string): string[] => [
  'unshare',
  ...unshare,
  'sh',
  '-c',
  `mount --rbind /tmp /mnt && mount -t tmpfs none /tmp || exit 1
  case $0 in /tmp/*) mkdir -p "$0" && mount --rbind "/mnt/\${0#/tmp/}" "$0" || exit 1 ;; esac
  ${first} && exec "$@"`,
  path.join(import.meta.dirname, '../..'),
]

/**
 * Returns whether this user may run a program like that. Not every user may. It also fails where the data of
 * tests is in /tmp too.
 */
export function mayRun([command = '', ...words]: string[]): boolean {
  if (quickFolder().startsWith('/tmp')) return false
  try {
    execFileSync(command, [...words, 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
