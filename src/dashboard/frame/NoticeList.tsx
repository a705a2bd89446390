import { Popover } from '@mantine/core'
import type { LazyMenuProps } from '../parts/LazyMenu.tsx'
import { useWords } from '../words/use-words.tsx'
import { Notices } from './Notices.tsx'
import { topWords } from './words-top.ts'

/** The menu of notices below the bell. */
export function NoticeList({ children, isOpen, onChange }: LazyMenuProps) {
  const t = useWords(topWords)
  return (
    <Popover opened={isOpen} onChange={onChange} position="bottom-end" width={380} trapFocus>
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown p={0} aria-label={t('notices')}>
        <Notices />
      </Popover.Dropdown>
    </Popover>
  )
}
