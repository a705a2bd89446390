import { Radio, Stack } from '@mantine/core'
import { ROLES, type Role } from '../../core/vocabulary/accounts.ts'
import { roleWords } from '../../core/words/role-words.ts'
import { useMay } from '../app/session.ts'
import { useWords } from '../words/use-words.tsx'
import { teamWords } from './words-team.ts'

/** A choice of a role, with its permissions. Only Owners can appoint Owners. */
export function RolePicker({ value, onChange }: { value: Role; onChange(role: Role): void }) {
  const t = useWords(teamWords)
  const nameOfRole = useWords(roleWords)
  const { own } = useMay()
  return (
    <Radio.Group
      label={t('role')}
      value={value}
      onChange={(chosen) => onChange(ROLES.find((role) => role === chosen)!)}
    >
      <Stack gap={8} mt={8}>
        {ROLES.filter((role) => own || role !== 'owner').map((role) => (
          <Radio key={role} value={role} label={nameOfRole(role)} description={t(`${role}_does`)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
