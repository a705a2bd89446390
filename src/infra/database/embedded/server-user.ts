import { lchown, lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The user as which PostgreSQL runs; empty for the user of this process. */
export type ServerUser = { uid: number; gid: number } | Record<string, never>

/** Users in the order of preference. A separate user is best; `nobody` exists on every machine. */
const CANDIDATES = ['wasla', 'postgres', 'nobody']

/**
 * Chooses the user of the server, because PostgreSQL refuses to run as root. Under root it is the owner of the
 * existing cluster, else of the data folder, else the first of `wasla`, `postgres` and `nobody` that exists. Folders
 * that do not exist have no owner.
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
 * Changes the owner of a database cluster's files from root, as in a restored backup, to the server's user. Links are
 * changed themselves, not their targets. Any other cluster stays unchanged.
 */
export async function giveToServer(cluster: string, user: ServerUser): Promise<void> {
  if (user.uid === undefined) return
  const owner = await lstat(cluster).catch(() => undefined)
  if (!owner?.isDirectory() || owner.uid !== 0) return
  for (const entry of await readdir(cluster, { recursive: true })) {
    await lchown(join(cluster, entry), user.uid, user.gid)
  }
  // The folder itself comes last, so that an interrupted change is repeated.
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
