/**
 * Prints the graph of the modules as a Mermaid picture. Fails where files or folders import in a circle. With `--check`,
 * as `npm run check` calls it, it prints no picture and refuses one of ARCHITECTURE.md that is not this one; `--write`
 * brings that page up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { drawGraph, edgesOfGroups } from './boundaries/draw-graph.ts'
import { findCycles } from './boundaries/find-cycles.ts'
import { listEdges, listSources } from './boundaries/list-sources.ts'
import { withBlock } from './boundaries/with-block.ts'

const project = path.join(import.meta.dirname, '..')
const pagePath = path.join(project, 'ARCHITECTURE.md')
const page = readFileSync(pagePath, 'utf8')

const edges = listEdges(listSources(project))
const edgesInPicture = edgesOfGroups(edges)
const cycles = [...findCycles(edges), ...findCycles(edgesInPicture)]
for (const cycle of cycles) console.error(cycle)
if (cycles.length > 0) process.exitCode = 1

const picture = drawGraph(edgesInPicture)
const after = withBlock(page, 'module graph', picture)
if (process.argv.includes('--write')) writeFileSync(pagePath, after)
else if (!process.argv.includes('--check')) console.log(picture)
else if (after !== page) {
  console.error('ARCHITECTURE.md does not show the module graph as it is: npm run generate')
  process.exitCode = 1
}
