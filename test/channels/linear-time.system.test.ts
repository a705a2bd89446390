/** Functions of channels whose time must grow linearly with the text. These tests measure the processor's time. */
import { expect, test } from 'vitest'
import { cleanParameter } from '../../src/modules/channels/template-slots.ts'
import { startCpuWatch } from '../support/stopwatch.ts'

test('a template parameter with a million spaces is cleaned within seconds', () => {
  const tookMs = startCpuWatch()
  cleanParameter(`a${' '.repeat(1_000_000)}b`)
  expect(tookMs()).toBeLessThan(3_000)
})
