/** The manifests for Kubernetes, as its own schemas see them. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findProgram } from '../../support/installed-program.ts'

const FILE = path.join(import.meta.dirname, '../../../deploy/kubernetes.yaml')

test('kubernetes-validate accepts every resource', () => {
  // Python's package of that name has the schemas: pip install kubernetes-validate
  const said = execFileSync(findProgram('kubernetes-validate'), ['--strict', FILE], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  expect(said).not.toContain('ERROR')
})
