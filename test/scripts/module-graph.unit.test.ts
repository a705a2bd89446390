import { expect, test } from 'vitest'
import { drawGraph } from '../../scripts/boundaries/draw-graph.ts'
import { findCycles } from '../../scripts/boundaries/find-cycles.ts'
import { listEdges } from '../../scripts/boundaries/list-sources.ts'

/** `a > b`: the file a imports the file b. */
const edgesOf = (...lines: string[]) =>
  lines.map((line) => {
    const [from = '', to = ''] = line.split(' > ')
    return { from, to }
  })

test('Modules that import each other are a cycle, even through other files and a third module', () => {
  const found = findCycles(
    edgesOf(
      'src/modules/hooks/a.ts > src/modules/events/b.ts',
      'src/modules/events/c.ts > src/modules/inbox/e.ts',
      'src/modules/inbox/f.ts > src/modules/hooks/d.ts',
    ),
  )
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(
    /^src\/modules: (hooks → events → inbox → hooks|events → inbox → hooks → events|inbox → hooks → events → inbox)\n/,
  )
  expect(found[0]).toContain('src/modules/events/c.ts imports src/modules/inbox/e.ts')
})

test('Two folders of one module that import each other are a cycle, and so are two files', () => {
  const folders = edgesOf(
    'src/modules/flows/runs/a.ts > src/modules/flows/design/b.ts',
    'src/modules/flows/design/c.ts > src/modules/flows/runs/d.ts',
  )
  expect(findCycles(folders)).toEqual([expect.stringMatching(/^src\/modules\/flows: /)])
  const files = edgesOf(
    'src/modules/flows/runs/a.ts > src/modules/flows/runs/b.ts',
    'src/modules/flows/runs/b.ts > src/modules/flows/runs/a.ts',
  )
  expect(findCycles(files)).toEqual([expect.stringMatching(/^src\/modules\/flows\/runs: /)])
})

test('A file may import both a folder and other files that the folder imports', () => {
  const edges = edgesOf(
    'src/modules/channels/registry.ts > src/modules/channels/voice/adapter.ts',
    'src/modules/channels/voice/adapter.ts > src/modules/channels/channel-adapter.ts',
    'src/start.ts > demonstration/index.ts',
    'demonstration/index.ts > src/app/create-service.ts',
  )
  expect(findCycles(edges)).toEqual([])
})

test('An import of types counts, and an import of a package does not', () => {
  const sources = [
    {
      file: 'src/core/ids.ts',
      text: "import type { Clock } from './clock.ts'\nimport path from 'node:path'",
    },
    { file: 'src/core/clock.ts', text: '' },
  ]
  expect(listEdges(sources)).toEqual([{ from: 'src/core/ids.ts', to: 'src/core/clock.ts' }])
})

test('The picture leaves out an arrow that follows from two others', () => {
  const picture = drawGraph(edgesOf('http > flows', 'flows > rules', 'http > rules'))
  expect(picture).toContain('  http --> flows\n')
  expect(picture).toContain('  flows --> rules\n')
})
