import { Autocomplete } from '@mantine/core'
import { useBuilderContext } from '../builder-context.ts'
import layout from '../../parts/layout.module.css'
import { idOf } from './fields.tsx'

/** A field for the name of a variable: an existing one or a new one. */
export function VariableName({
  at,
  label,
  names,
  value,
  onChange,
}: {
  at: string
  label: string
  names: readonly string[]
  value: string
  onChange(name: string): void
}) {
  const { errorAt, mayEdit } = useBuilderContext()
  return (
    <Autocomplete
      id={idOf(at)}
      label={label}
      dir="ltr"
      classNames={{ input: layout.codeInput! }}
      data={[...names]}
      value={value}
      error={errorAt(at)}
      readOnly={!mayEdit}
      onChange={onChange}
    />
  )
}
