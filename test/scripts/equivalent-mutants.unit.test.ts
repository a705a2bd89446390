import path from 'node:path'
import { expect, test } from 'vitest'
import { EQUIVALENT, fitsMutant } from '../../scripts/mutants/equivalent-mutants.ts'
import { findMutants } from '../../scripts/mutants/find-mutants.ts'
import { readSource } from '../../scripts/mutants/walk.ts'

const project = path.join(import.meta.dirname, '../..')

test.each(EQUIVALENT)('an exception of mutation testing fits a mutant: $file $line', (known) => {
  const source = readSource(project, known.file)
  const fitting = findMutants(source).filter((mutant) => fitsMutant(known, mutant, source.text))
  expect(fitting).not.toEqual([])
})
