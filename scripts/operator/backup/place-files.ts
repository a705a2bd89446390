import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Writes the files of a backup into the data folder, each atomically and readable by its owner only.
 * @throws when a file exists already with another content; nothing is written then
 */
export async function placeFiles(
  dataFolder: string,
  files: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const missing = []
  for (const [file, content] of files) {
    const target = path.join(dataFolder, file)
    const there = await readFile(target).catch(() => null)
    if (there === null) missing.push({ target, content })
    else if (!there.equals(content)) {
      throw new Error(
        `${target} is there already, and is not the one of the backup. Nothing was restored: name a data folder that is not there yet (DATA_FOLDER)`,
      )
    }
  }
  for (const { target, content } of missing) {
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
    await writeFile(`${target}.new`, content, { mode: 0o600, flush: true })
    await rename(`${target}.new`, target)
  }
}
