import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Whether npm itself has put into a folder's `node_modules` what its `package-lock.json` asks for, as npm notes there:
 * then nothing is installed anew, which would need the registry. Plain JavaScript for any Node from 18.
 *
 * @param {string} folder
 * @param {{ withDev: boolean }} options
 * @returns {boolean}
 */
export function isInstalledByNpm(folder, { withDev }) {
  const wanted = readPackages(path.join(folder, 'package-lock.json'))
  const there = readPackages(path.join(folder, 'node_modules/.package-lock.json'))
  const needed = Object.entries(wanted).filter(
    ([name, one]) => name !== '' && (withDev || !one.dev) && isForHere(one),
  )
  return (
    needed.length > 0 &&
    needed.every(
      ([name, { version, integrity }]) =>
        there[name]?.version === version && there[name].integrity === integrity,
    )
  )
}

/** @returns {Record<string, any>} */
function readPackages(file) {
  if (!existsSync(file)) return {}
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
}

/**
 * What is for one of several C libraries, and what is optional for all, which may be wanted by what is for another
 * machine alone, npm knows better.
 */
function isForHere({ os, cpu, libc, optional }) {
  if (libc !== undefined || (optional && os === undefined && cpu === undefined)) return false
  return (
    (os === undefined || os.includes(process.platform)) &&
    (cpu === undefined || cpu.includes(process.arch))
  )
}
