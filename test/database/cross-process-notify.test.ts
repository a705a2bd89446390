import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createCrossProcessNotify } from '../../src/infra/database/cross-process-notify.ts'
import { createTestDatabase } from '../support/database.ts'
import { systemTest } from '../support/system-tests.ts'
import { hearing } from './hearing.ts'

const database = await createTestDatabase()
afterAll(() => database.drop())

const create = () => createCrossProcessNotify(database.db, pino({ level: 'silent' }))

test('another process is notified of work immediately, by its queue, and of later work in batches', async () => {
  const { heard, hear, until } = hearing()
  const [notifier, hearer] = [create(), create()]
  hearer.listen(database.connection, {
    node: 'aaaaaaaa',
    onWork: (works) => hear(works.toSorted().join(' ') || 'any'),
  })
  // Listening begins with a look for all work that was committed before.
  await until('any')
  notifier.notify(new Set(['runs']))
  notifier.notify(new Set(['deliveries']))
  notifier.notify(new Set(['sends', 'deliveries']))
  await until('deliveries sends')
  expect(heard).toEqual(['any', 'runs', 'deliveries sends'])
  heard.length = 0
  notifier.notify()
  await until('any')
  await Promise.all([notifier.close(), hearer.close()])
})

systemTest(
  'one of several processes, round-robin, looks for work immediately, and the others a little later',
  async () => {
    const { heard, hear, until } = hearing()
    const notifier = create()
    const nodes = ['aaaaaaaa', 'bbbbbbbb']
    const hearers = nodes.map((node) => {
      const hearer = create()
      const onWork = (works: readonly string[]) => hear(`${node[0]!} ${works.join(' ') || 'any'}`)
      hearer.listen(database.connection, { node, onWork })
      return hearer
    })
    await Promise.all([until('a any'), until('b any')])
    notifier.notify(new Set(['runs']))
    await until('b runs')
    notifier.notify(new Set(['deliveries']))
    notifier.notify(new Set(['sends']))
    await Promise.all([until('b deliveries sends'), until('a runs')])
    expect(heard.slice(2, 4)).toEqual(['b runs', 'a deliveries sends'])
    await Promise.all([notifier, ...hearers].map((one) => one.close()))
  },
)
