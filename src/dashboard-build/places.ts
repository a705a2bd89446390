/** Paths of the dashboard's sources, its build and its tools, from the project's folder. */
import path from 'node:path'

/** The folder with `package.json`. */
export const PROJECT: string = path.join(import.meta.dirname, '../..')

/** The paths of a dashboard's sources and builds. */
export type Places = {
  project: string
  /** The served build. */
  build: string
  /** A folder next to it, with the lock of the building process and unfinished builds. */
  builds: string
  sources: string
}

/** Returns the paths of the dashboard's sources and builds in a project folder. */
export function placesOf(project: string): Places {
  const builds = path.join(project, 'build')
  return {
    project,
    builds,
    build: path.join(builds, 'dashboard'),
    sources: path.join(project, 'src/dashboard'),
  }
}

/** The file in a build with the hash of its sources. It is not served. */
export const STAMP = '.sources'
