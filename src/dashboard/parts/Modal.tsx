import {
  Drawer as MantineDrawer,
  Modal as MantineModal,
  type DrawerProps,
  type ModalProps,
} from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { useWords } from '../words/use-words.tsx'
import { isComposing } from './is-composing.ts'
import { partsWords } from './words.ts'

/** The open dialogs, the newest last. */
const open: { close(): void }[] = []

window.addEventListener(
  'keydown',
  (event) => {
    const { key, target } = event
    if (key !== 'Escape' || isComposing(event)) return
    // An open list or menu in the dialog handles this Escape and closes alone.
    const isTaken =
      target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true'
    if (!isTaken) open.at(-1)?.close()
  },
  { capture: true },
)

/**
 * Closes only the dialog that was opened last on Escape, so that text typed in the one below stays. Mantine's own
 * handling would close every open dialog.
 */
export function useEscape(isOpen: boolean, onEscape: () => void): void {
  const close = useEffectEvent(onEscape)
  useEffect(() => {
    if (!isOpen) return
    const me = { close: () => close() }
    open.push(me)
    return () => void open.splice(open.indexOf(me), 1)
  }, [isOpen])
}

/** Mantine's modal, with other behaviour on Escape and a name for its close button. */
export function Modal({ closeOnEscape = true, ...props }: ModalProps) {
  const close = useWords(partsWords)('close')
  useEscape(props.opened, () => closeOnEscape && props.onClose())
  return (
    <MantineModal closeButtonProps={{ 'aria-label': close }} {...props} closeOnEscape={false} />
  )
}

/** Mantine's drawer, with other behaviour on Escape and a name for its close button. */
export function Drawer(props: DrawerProps) {
  const close = useWords(partsWords)('close')
  useEscape(props.opened, props.onClose)
  return (
    <MantineDrawer closeButtonProps={{ 'aria-label': close }} {...props} closeOnEscape={false} />
  )
}
