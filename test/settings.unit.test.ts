import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { findUnknownSettings, SETTINGS } from '../src/app/settings.ts'

describe('A name in .env that is no setting', () => {
  test.each([
    ['PROT', 'PORT'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['ENCRYPTION_KEY', 'ENCRYPTION_KEYS'],
    ['EGRES_DENY', 'EGRESS_DENY'],
  ])('is reported with the nearest setting: %s, %s', (name, meant) => {
    expect(findUnknownSettings(['HOST', name])).toEqual([
      expect.stringMatching(new RegExp(`sets ${name}, which is not a setting .*mean ${meant}\\?`)),
    ])
  })

  test('is reported without a guess when no setting is near', () => {
    const [told] = findUnknownSettings(['SOMETHING_ELSE'])
    expect(told).toContain('SOMETHING_ELSE')
    expect(told).not.toContain('Did you mean')
  })
})

test('.env.example names every setting once, and no other', () => {
  const example = readFileSync(path.join(import.meta.dirname, '../.env.example'), 'utf8')
  const named = [...example.matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name!)
  expect(named.toSorted()).toEqual([...SETTINGS].toSorted())
  expect(findUnknownSettings(named)).toEqual([])
})
