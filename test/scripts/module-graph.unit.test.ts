import { expect, test } from 'vitest'
import { drawGraph } from '../../scripts/walls/draw-graph.ts'
import { findCycles } from '../../scripts/walls/find-cycles.ts'
import { listEdges } from '../../scripts/walls/list-sources.ts'

/** `a > b`: the file a imports the file b. */
const edgesOf = (...lines: string[]) =>
  lines.map((line) => {
    const [from = '', to = ''] = line.split(' > ')
    return { from, to }
  })

test('Rooms that import each other are a cycle, even by way of other files and a third room', () => {
  const found = findCycles(
    edgesOf(
      'src/hooks/a.ts > src/events/b.ts',
      'src/events/c.ts > src/ids.ts',
      'src/ids.ts > src/hooks/d.ts',
    ),
  )
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(
    /^src: (hooks → events → ids.ts → hooks|events → ids.ts → hooks → events|ids.ts → hooks → events → ids.ts)\n/,
  )
  expect(found[0]).toContain('src/events/c.ts imports src/ids.ts')
})

test('Two folders of one room that import each other are a cycle, and so are two files', () => {
  const folders = edgesOf(
    'src/flows/runs/a.ts > src/flows/design/b.ts',
    'src/flows/design/c.ts > src/flows/runs/d.ts',
  )
  expect(findCycles(folders)).toEqual([expect.stringMatching(/^src\/flows: /)])
  const files = edgesOf(
    'src/flows/runs/a.ts > src/flows/runs/b.ts',
    'src/flows/runs/b.ts > src/flows/runs/a.ts',
  )
  expect(findCycles(files)).toEqual([expect.stringMatching(/^src\/flows\/runs: /)])
})

test('A file may put together a folder that stands on other files beside it', () => {
  const edges = edgesOf(
    'src/channels/registry.ts > src/channels/voice/adapter.ts',
    'src/channels/voice/adapter.ts > src/channels/channel-adapter.ts',
    'src/start.ts > demonstration/index.ts',
    'demonstration/index.ts > src/service.ts',
  )
  expect(findCycles(edges)).toEqual([])
})

test('An import of types counts, and an import of a package does not', () => {
  const sources = [
    {
      file: 'src/ids.ts',
      text: "import type { Clock } from './clock.ts'\nimport path from 'node:path'",
    },
    { file: 'src/clock.ts', text: '' },
  ]
  expect(listEdges(sources)).toEqual([{ from: 'src/ids.ts', to: 'src/clock.ts' }])
})

test('The picture leaves out an arrow that follows from two others', () => {
  const picture = drawGraph(edgesOf('http > flows', 'flows > rules', 'http > rules'))
  expect(picture).toContain('  http --> flows\n')
  expect(picture).toContain('  flows --> rules\n')
})
