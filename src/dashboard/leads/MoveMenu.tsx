import { ActionIcon, Menu } from '@mantine/core'
import type { LeadView } from '../../contract/dashboard/lead.ts'
import type { LeadMove } from '../../rules/leads/move-lead.ts'
import { LEAD_STATUSES } from '../../core/vocabulary/leads.ts'
import { Icon } from '../parts/Icon.tsx'
import { useWords } from '../words/use-words.tsx'
import { useLeadName } from './marks.tsx'
import { moveTo } from './use-move-lead.tsx'
import { leadsWords } from './words.ts'

/** A menu that moves a lead to another status without dragging its card. */
export function MoveMenu({
  lead,
  onMove,
}: {
  lead: LeadView
  onMove(lead: LeadView, move: LeadMove): void
}) {
  const t = useWords(leadsWords)
  const nameOf = useLeadName()
  const moves = LEAD_STATUSES.flatMap((to) => moveTo(lead.status, to) ?? [])
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" aria-label={t('move', { name: nameOf(lead) })}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {moves.map((move) => (
          <Menu.Item key={move} onClick={() => onMove(lead, move)}>
            {t(move)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
