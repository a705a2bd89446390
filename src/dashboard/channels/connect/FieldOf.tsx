import { NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import type { UseFormRegisterReturn } from 'react-hook-form'
import layout from '../../parts/layout.module.css'
import type { GuidedField } from './channel-guide.ts'

/** A field of a channel's form: a text, a secret or a choice, from left to right in every language. */
export function FieldOf({
  field: { label, where, isSecret, options },
  ...registered
}: { field: GuidedField; error: string | undefined } & UseFormRegisterReturn) {
  const shown = { label, description: where, ...registered }
  if (options) return <NativeSelect data={[...options]} {...shown} />
  if (isSecret) {
    return (
      <PasswordInput
        autoComplete="off"
        aria-invalid={shown.error !== undefined}
        classNames={{ innerInput: layout.ltr! }}
        {...shown}
      />
    )
  }
  return <TextInput classNames={{ input: layout.ltr! }} {...shown} />
}
