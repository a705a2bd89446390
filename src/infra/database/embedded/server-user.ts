import { lchown, lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Whom PostgreSQL runs as; empty for the user of this process. */
export type ServerUser = { uid: number; gid: number } | Record<string, never>

/** In this order. A user of its own is best; `nobody` is there on every machine. */
const CANDIDATES = ['wasla', 'postgres', 'nobody']

/**
 * PostgreSQL refuses to run as root. Started by root, it runs as whoever owns the existing cluster,
 * else the data folder, else as the first of `wasla`, `postgres` and `nobody` that the machine
 * knows. Folders that do not exist yet have no owner.
 */
export async function chooseServerUser(folders: string[]): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return {}
  const users = await readUsers()
  for (const folder of folders) {
    const owner = await stat(folder).catch(() => undefined)
    // initdb insists on a user with a name.
    if (owner && owner.uid !== 0 && users.some((user) => user.uid === owner.uid)) {
      return { uid: owner.uid, gid: owner.gid }
    }
  }
  for (const name of CANDIDATES) {
    const user = users.find((candidate) => candidate.name === name && candidate.uid !== 0)
    if (user) return { uid: user.uid, gid: user.gid }
  }
  throw new Error(
    'PostgreSQL does not run as root and this machine has no other user for it. ' +
      'Start the service as another user, add a user named wasla, or set DATABASE_URL',
  )
}

/**
 * A cluster that root copied (a restored backup) belongs to root, as whom PostgreSQL does not run: it is
 * given to the server's user, links themselves and not what they lead to. Any other is left as it is.
 */
export async function giveToServer(cluster: string, user: ServerUser): Promise<void> {
  if (user.uid === undefined) return
  const owner = await lstat(cluster).catch(() => undefined)
  if (!owner?.isDirectory() || owner.uid !== 0) return
  for (const entry of await readdir(cluster, { recursive: true })) {
    await lchown(join(cluster, entry), user.uid, user.gid)
  }
  // Last, so that one that was cut off is begun again.
  await lchown(cluster, user.uid, user.gid)
}

async function readUsers(): Promise<{ name: string; uid: number; gid: number }[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    if (!name || name.startsWith('#') || !/^\d+$/.test(uid ?? '')) return []
    return [{ name, uid: Number(uid), gid: Number(gid) }]
  })
}
