/** Where the dashboard's sources, its build and what builds it lie, by the project's folder. */
import path from 'node:path'

/** The folder that holds `package.json`. */
export const PROJECT: string = path.join(import.meta.dirname, '../..')

export type Places = {
  project: string
  /** What is served. */
  build: string
  /** Beside it: the turn of who builds, and what is not whole yet. */
  builds: string
  sources: string
}

export function placesOf(project: string): Places {
  const builds = path.join(project, 'build')
  return {
    project,
    builds,
    build: path.join(builds, 'dashboard'),
    sources: path.join(project, 'src/dashboard'),
  }
}

/** Of which sources a build was made: lies in the build and is not served. */
export const STAMP = '.sources'
