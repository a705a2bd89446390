import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Returns whether npm has installed what a folder's `package-lock.json` asks for, by npm's own record. Then an
 * installation, which would need the registry, is skipped. Plain JavaScript for any Node from 18.
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
 * Returns whether a package is certainly for this machine. It returns false when only npm can decide: for a package of
 * one C library, and for an optional one without a platform.
 */
function isForHere({ os, cpu, libc, optional }) {
  if (libc !== undefined || (optional && os === undefined && cpu === undefined)) return false
  return (
    (os === undefined || os.includes(process.platform)) &&
    (cpu === undefined || cpu.includes(process.arch))
  )
}
