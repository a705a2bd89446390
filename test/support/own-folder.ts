import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** Makes a folder for one test, or with `afterAll` for all of a file. Returns its path; it is removed after them. */
export function makeFolder(
  name: string,
  whenOver: (remove: () => void) => void = onTestFinished,
): string {
  const folder = mkdtempSync(path.join(tmpdir(), `wasla-${name}-`))
  whenOver(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
