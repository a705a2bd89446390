import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PAGE_LIMITS } from '../../../src/core/limits/pages.ts'
import { makePalette } from '../../../src/rules/pages/palette.ts'
import { contrastOf } from '../../support/contrast.ts'
import { systemTest } from '../../support/system-tests.ts'

const colour = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`)

test('contrast is that of WCAG: black on white 21, a colour on itself 1', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  expect(contrastOf('#0b5f73', '#0b5f73')).toBe(1)
})

systemTest('whatever the colours, every text can be read and every edge seen', () => {
  fc.assert(
    fc.property(fc.option(colour), fc.option(colour), (accent, ground) => {
      const palette = makePalette({ accent, ground })
      for (const text of [palette.ink, palette.muted, palette.accentInk, palette.bad]) {
        for (const behind of [palette.ground, palette.surface]) {
          expect(contrastOf(text, behind)).toBeGreaterThanOrEqual(PAGE_LIMITS.textContrast)
        }
      }
      expect(contrastOf(palette.accentInk, palette.soft)).toBeGreaterThanOrEqual(
        PAGE_LIMITS.textContrast,
      )
      expect(contrastOf(palette.onAccent, palette.accent)).toBeGreaterThanOrEqual(
        PAGE_LIMITS.textContrast,
      )
      expect(contrastOf(palette.edge, palette.ground)).toBeGreaterThanOrEqual(
        PAGE_LIMITS.edgeContrast,
      )
    }),
    { numRuns: 500, seed: 1 },
  )
})

test('readable colours are used as they are', () => {
  const palette = makePalette({ accent: '#0b5f73', ground: '#ffffff' })
  expect(palette).toMatchObject({
    ground: '#ffffff',
    accent: '#0b5f73',
    accentInk: '#0b5f73',
    onAccent: '#ffffff',
    ink: '#15191c',
    bad: '#951b15',
    // 12 % of the accent on white: a selected item differs from the others.
    soft: '#e2ecee',
  })
  // A light colour gives a darker text of the same hue, and black text on the colour itself.
  const light = makePalette({ accent: '#ffd400', ground: '#ffffff' })
  expect(light.onAccent).toBe('#15191c')
  expect(light.accentInk).not.toBe('#ffd400')
  // A dark page has white text.
  expect(makePalette({ accent: null, ground: '#101315' }).ink).toBe('#ffffff')
})
