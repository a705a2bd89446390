import { UnstyledButton } from '@mantine/core'
import { Suspense, useState, type ComponentType, type ReactElement, type ReactNode } from 'react'

/** Properties of a lazily loaded menu: its button, and whether the menu is open. */
export type LazyMenuProps = {
  children: ReactElement
  isOpen: boolean
  onChange(isOpen: boolean): void
}

/**
 * A button whose menu is loaded on first use, so that the first screen does not wait for the code that draws it. `menu`
 * is a lazy component that renders the button it is given.
 */
export function LazyMenu({
  menu: Menu,
  kind,
  className,
  children,
}: {
  menu: ComponentType<LazyMenuProps>
  kind: 'menu' | 'dialog'
  className: string | undefined
  children: ReactNode
}) {
  const [isWanted, setWanted] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const button = (
    <UnstyledButton
      className={className}
      aria-haspopup={kind}
      aria-expanded={isOpen}
      onClick={() => {
        setWanted(true)
        setOpen(!isOpen)
      }}
    >
      {children}
    </UnstyledButton>
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <Menu isOpen={isOpen} onChange={setOpen}>
        {button}
      </Menu>
    </Suspense>
  )
}
