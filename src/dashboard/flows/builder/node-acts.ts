import type { KeyboardEvent } from 'react'
import type { Place } from '../draft.ts'
import { START } from '../draft.ts'
import type { TreeNode } from '../draft/tree.ts'
import { TRIGGER_KEY } from './outline-rows.ts'

/** The acts on a node, by mouse and by keyboard. */
export type NodeActs = {
  /** Opens a step, or the trigger, in the panel. */
  open(key: string): void
  /** Opens the choice of a new step for a place. */
  add(place: Place): void
  remove(stepId: string): void
  copy(stepId: string): void
  paste(place: Place): void
}

/** Handles the keys of one node: Enter opens, Delete removes, + adds before it, Ctrl C and Ctrl V copy and paste. */
export function handleNodeKey(event: KeyboardEvent, node: TreeNode | null, acts: NodeActs): void {
  const place = node?.place ?? START
  const isWithControl = event.ctrlKey || event.metaKey
  const act = ((): (() => void) | null => {
    if (isWithControl && event.code === 'KeyC') {
      return node?.kind === 'step' ? () => acts.copy(node.stepId) : null
    }
    if (isWithControl && event.code === 'KeyV') return () => acts.paste(place)
    if (isWithControl || event.altKey) return null
    if (event.key === 'Enter' || event.key === ' ') {
      if (node === null) return () => acts.open(TRIGGER_KEY)
      if (node.kind === 'step') return () => acts.open(node.stepId)
      return node.kind === 'jump' ? () => acts.open(node.to) : () => acts.add(place)
    }
    if (event.key === '+' || event.key === '=' || event.code === 'NumpadAdd') {
      return () => acts.add(place)
    }
    if (event.key === 'Delete' || event.key === 'Backspace') {
      return node?.kind === 'step' ? () => acts.remove(node.stepId) : null
    }
    return null
  })()
  if (!act) return
  event.preventDefault()
  act()
}
