/** Programs in namespaces of their own, as systemd and container runtimes start them. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { quickFolder } from './quick-folder.ts'

/**
 * The words before a program that start it with a /tmp of its own and with what `unshare` is asked for besides. Of
 * the common /tmp a clone of this project stays. `first` is a shell command that runs before.
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

/** Whether this user may do so. Not every user may, nor where the data of tests lie in /tmp too. */
export function mayRun([command = '', ...words]: string[]): boolean {
  if (quickFolder().startsWith('/tmp')) return false
  try {
    execFileSync(command, [...words, 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
