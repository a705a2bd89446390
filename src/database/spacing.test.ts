import { expect, test } from 'vitest'
import { createSpacing } from './spacing.ts'

function spacingAt() {
  const at = { ms: 1_000_000 }
  return { at, spacing: createSpacing(() => at.ms) }
}

function come(spacing: ReturnType<typeof createSpacing>, items: number) {
  for (let item = 0; item < items; item += 1) spacing.came()
}

test('where little comes nobody waits, however soon after a batch', () => {
  const { spacing } = spacingAt()
  come(spacing, 7)
  spacing.began()
  expect(spacing.waitMs()).toBe(0)
})

test('while much comes a batch begins 20 ms after the one before', () => {
  const { at, spacing } = spacingAt()
  come(spacing, 8)
  expect(spacing.waitMs()).toBe(0)
  spacing.began()
  at.ms += 5
  spacing.ended()
  expect(spacing.waitMs()).toBe(15)
  at.ms += 15
  expect(spacing.waitMs()).toBe(0)
})

test('batches that take long keep more room, but never more than 50 ms', () => {
  const { at, spacing } = spacingAt()
  come(spacing, 8)
  for (const [tookMs, spaceMs] of [
    [20, 40],
    [45, 50],
  ] as const) {
    spacing.began()
    at.ms += tookMs
    spacing.ended()
    expect(spacing.waitMs()).toBe(spaceMs - tookMs)
  }
})

test('what came is forgotten with the second window after it', () => {
  const { at, spacing } = spacingAt()
  come(spacing, 8)
  at.ms += 200
  spacing.began()
  expect(spacing.waitMs()).toBe(20)
  at.ms += 200
  spacing.began()
  expect(spacing.waitMs()).toBe(0)
})
