import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemRandom } from '../../src/core/ids.ts'
import { loadKeys } from '../../src/infra/secrets/load-keys.ts'

const config = { encryptionKeys: null, databaseUrl: null, isProduction: true }

test('generated keys are kept in the data folder, for its owner alone, and are found again', () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'wasla-keys-'))
  const dataFolder = path.join(parent, 'data')
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const keys = loadKeys({ ...config, dataFolder }, systemRandom)
  expect(keys).toMatchObject([{ id: 'k1', key: { length: 32 } }])
  expect(statSync(dataFolder).mode & 0o777).toBe(0o700)
  expect(statSync(path.join(dataFolder, 'encryption-keys')).mode & 0o777).toBe(0o600)
  expect(loadKeys({ ...config, dataFolder }, systemRandom)).toEqual(keys)
})

test('none are generated for an external database server: another node could not read them', () => {
  const databaseUrl = 'postgres://db.example/wasla'
  expect(() => loadKeys({ ...config, databaseUrl, dataFolder: '/nowhere' }, systemRandom)).toThrow(
    'ENCRYPTION_KEYS must be set',
  )
})
