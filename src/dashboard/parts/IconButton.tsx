import { ActionIcon, Tooltip, type ActionIconProps } from '@mantine/core'
import type { ComponentProps } from 'react'
import { Icon } from './Icon.tsx'
import type { IconName } from './icons.ts'

/** A button with an icon only. Its label is for screen readers, and with `hasTip` also a tooltip. */
export function IconButton({
  icon,
  iconSize,
  label,
  hasTip = false,
  ...button
}: {
  icon: IconName
  iconSize?: number
  label: string
  hasTip?: boolean
} & ActionIconProps &
  Omit<ComponentProps<'button'>, 'aria-label' | 'children' | keyof ActionIconProps>) {
  const drawn = (
    <ActionIcon variant="subtle" aria-label={label} {...button}>
      <Icon name={icon} {...(iconSize !== undefined && { size: iconSize })} />
    </ActionIcon>
  )
  return hasTip ? <Tooltip label={label}>{drawn}</Tooltip> : drawn
}
