import { Button } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import type { PagePath, LinkTarget } from '../app/pages.ts'
import { Icon } from './Icon.tsx'
import { PageButton } from './PageLink.tsx'

const Shown = PageButton as ComponentType<object>

/** The button by which a page adds an item: it opens a page or a dialog. */
export function AddButton<Path extends PagePath>({
  isOff = false,
  ...does
}: { isOff?: boolean; children: ReactNode } & (LinkTarget<Path> | { onClick(): void })) {
  const look = { variant: 'filled', leftSection: <Icon name="plus" /> }
  if (!isOff && 'to' in does) return <Shown {...look} {...does} />
  const { children } = does
  return (
    <Button {...look} disabled={isOff} {...('onClick' in does && { onClick: does.onClick })}>
      {children}
    </Button>
  )
}
