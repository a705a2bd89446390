import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Puts the files of a backup into the data folder, each whole or not at all and readable by its owner
 * alone. @throws before anything is written when one is there already with another content
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
    await writeFile(`${target}.new`, content, { mode: 0o600 })
    await rename(`${target}.new`, target)
  }
}
