import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { MemberView } from '../../contract/dashboard/member.ts'
import { accountApi } from '../app/resources.ts'
import { queries } from '../app/queries.ts'
import { useSession } from '../app/session.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import { RolePicker } from './RolePicker.tsx'
import { teamWords } from './words-team.ts'

type Of = { member: MemberView; onClose(): void }

/** Returns a function for the time after a change: a change of one's own membership ends the session. */
function useAfterwards(member: MemberView): () => Promise<void> {
  const { person } = useSession()
  const navigate = useNavigate()
  return async () => {
    if (member.personId === person.id) {
      await navigate({ to: '/sign-in', search: {} })
      queries.clear()
    } else {
      await accountApi.changed('/members')
    }
  }
}

/** A dialog in which an Owner or Admin gives a member another role. */
export function ChangeRole({ member, onClose }: Of) {
  const t = useWords(teamWords)
  const [role, setRole] = useState(member.role)
  const afterwards = useAfterwards(member)
  return (
    <Confirm
      title={t('role_title', { name: member.name ?? member.email })}
      act={t('role_act')}
      mayAct={role !== member.role}
      send={async () => {
        await accountApi.call('patch', '/members/:memberId', { memberId: member.id }, { role })
        toastSuccess(t('role_given'))
        await afterwards()
      }}
      onClose={onClose}
    >
      <RolePicker value={role} onChange={setRole} />
      <p>{t('role_ends')}</p>
      {member.role === 'owner' && <p className={layout.help}>{t('owner_note')}</p>}
    </Confirm>
  )
}

/** A dialog that asks for confirmation and removes a member from the account. */
export function RemoveMember({ member, onClose }: Of) {
  const t = useWords(teamWords)
  const { person } = useSession()
  const afterwards = useAfterwards(member)
  const isSelf = member.personId === person.id
  const name = member.name ?? member.email
  return (
    <Confirm
      isGrave
      title={isSelf ? t('leave_title') : t('remove_title', { name })}
      act={isSelf ? t('leave_act') : t('remove_act', { name })}
      keep={t('remove_keep')}
      send={async () => {
        await accountApi.call('delete', '/members/:memberId', { memberId: member.id })
        toastSuccess(t('removed'))
        await afterwards()
      }}
      onClose={onClose}
    >
      <p>{t(isSelf ? 'leave_why' : 'remove_why')}</p>
      {member.role === 'owner' && <p className={layout.help}>{t('owner_note')}</p>}
    </Confirm>
  )
}
