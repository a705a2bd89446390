import {
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  ViewportPortal,
  type Node,
  type NodeProps,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { createContext, useContext, useEffect, useMemo, useRef, type KeyboardEvent } from 'react'
import { Icon } from '../../parts/Icon.tsx'
import { useLanguage } from '../../words/language.ts'
import { IconButton } from '../../parts/IconButton.tsx'
import { useWords } from '../../words/use-words.tsx'
import { stepAt } from '../draft.ts'
import { centre, layOut, NODE, type Box, type Layout, type Line } from '../draft/layout.ts'
import type { FlowTree, TreeNode } from '../draft/tree.ts'
import { exitsOf, isEnd } from '../steps/kinds.ts'
import styles from './map.module.css'
import { builderWords } from '../words-builder.ts'
import { stepWords } from '../words-steps.ts'
import { useBuilderContext } from '../builder-context.ts'
import { handleNodeKey, type NodeActs } from './node-acts.ts'
import { useRunStateAt, useReplayed, wentBy } from './replayed.ts'
import { NodeText, WorstMark } from './NodeText.tsx'
import { StepFigures } from './StepFigures.tsx'
import { TRIGGER_KEY } from './outline-rows.ts'

type CanvasProps = {
  tree: FlowTree
  selected: string | null
  acts: NodeActs
  worstAt(stepId: string | null): 'bad' | 'warn' | null
}

type Shared = CanvasProps & { layout: Layout }
const CanvasContext = createContext<Shared | null>(null)

/** Heights of a step by direction: lines of Arabic are taller. */
const HEIGHTS = { ltr: 66, rtl: 74 }
const TOP = 24
/** The smallest zoom at which texts are readable; a larger flow is scrolled. */
const MIN_ZOOM = 0.8

/** The flow as a tree with an automatic layout: nothing can be dragged to a wrong place. */
export function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <FlowMap {...props} />
    </ReactFlowProvider>
  )
}

const NODE_TYPES = { box: BoxNode }

function FlowMap({ tree, selected, acts, worstAt }: CanvasProps) {
  const t = useWords(builderWords)
  const { direction } = useLanguage()
  const layout = useMemo(
    () => layOut(tree, HEIGHTS[direction], direction === 'rtl' ? -1 : 1),
    [tree, direction],
  )
  const nodes = useMemo(
    () =>
      layout.boxes.map((box): BoxData => ({
        id: keyOfBox(box),
        type: 'box',
        position: { x: box.x, y: box.y },
        width: box.width,
        height: box.height,
        data: { box },
      })),
    [layout],
  )
  const shared = useMemo(
    () => ({ tree, selected, acts, worstAt, layout }),
    [tree, selected, acts, worstAt, layout],
  )
  const frame = useRef<HTMLDivElement>(null)
  useFraming(layout, selected, frame)
  return (
    <CanvasContext value={shared}>
      <div ref={frame} className={styles.canvas} dir="ltr" role="group" aria-label={t('map')}>
        <ReactFlow
          nodes={nodes}
          nodeTypes={NODE_TYPES}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          elementsSelectable={false}
          panOnScroll
          zoomOnDoubleClick={false}
          minZoom={0.3}
          maxZoom={1.25}
          deleteKeyCode={null}
          disableKeyboardA11y
          proOptions={{ hideAttribution: true }}
        >
          <ViewportPortal>
            <Lines layout={layout} />
          </ViewportPortal>
        </ReactFlow>
        <Zoom layout={layout} frame={frame} />
      </div>
    </CanvasContext>
  )
}

type BoxData = Node<{ box: Box }, 'box'>

function keyOfBox({ node }: Box): string {
  return node?.key ?? TRIGGER_KEY
}

type Frame = { current: HTMLDivElement | null }

/** Starts with the trigger at the top, zoomed out until the branches are visible, and scrolls to the selected step. */
function useFraming(layout: Layout, selected: string | null, frame: Frame): void {
  const { setViewport, getViewport } = useReactFlow()
  const { direction } = useLanguage()
  const newest = useRef(layout)
  useEffect(() => {
    newest.current = layout
  })
  useEffect(() => {
    void setViewport(beginning(newest.current, frame.current))
  }, [setViewport, frame, direction])
  useEffect(() => {
    const box = newest.current.boxes.find((one) => keyOfBox(one) === selected)
    const size = frame.current?.getBoundingClientRect()
    if (!box || !size) return
    const { x, y, zoom } = getViewport()
    const top = box.y * zoom + y
    const start = box.x * zoom + x
    const isSeen =
      top >= 0 &&
      start >= 0 &&
      top + box.height * zoom <= size.height &&
      start + box.width * zoom <= size.width
    if (isSeen) return
    void setViewport({
      x: size.width / 2 - centre(box) * zoom,
      y: size.height / 3 - box.y * zoom,
      zoom,
    })
  }, [selected, layout, frame, getViewport, setViewport])
}

function beginning({ boxes }: Layout, frame: HTMLDivElement | null) {
  const size = frame?.getBoundingClientRect() ?? { width: 800 }
  const trigger = boxes.find(({ node }) => node === null)!
  const from = Math.min(...boxes.map(({ x }) => x))
  const to = Math.max(...boxes.map(({ x, width }) => x + width))
  const zoom = Math.max(MIN_ZOOM, Math.min(1, size.width / (to - from + 2 * TOP)))
  const fits = (to - from) * zoom <= size.width
  const middle = fits ? (from + to) / 2 : centre(trigger)
  return { x: size.width / 2 - middle * zoom, y: TOP, zoom }
}

function Zoom({ layout, frame }: { layout: Layout; frame: Frame }) {
  const t = useWords(builderWords)
  const { zoomIn, zoomOut, setViewport } = useReactFlow()
  return (
    <div className={styles.zoom}>
      <IconButton
        hasTip
        icon="plus"
        label={t('zoom_in')}
        variant="default"
        onClick={() => void zoomIn()}
      />
      <IconButton
        hasTip
        icon="minus"
        label={t('zoom_out')}
        variant="default"
        onClick={() => void zoomOut()}
      />
      <IconButton
        hasTip
        icon="home"
        label={t('to_trigger')}
        variant="default"
        onClick={() => void setViewport(beginning(layout, frame.current))}
      />
    </div>
  )
}

/** The lines between boxes, with the names of branches and buttons to add a step. */
function Lines({ layout: { lines, boxes } }: { layout: Layout }) {
  const t = useWords(builderWords)
  const say = useWords(stepWords)
  const { direction } = useLanguage()
  const { draft, mayEdit } = useBuilderContext()
  const { acts } = useContext(CanvasContext)!
  const replayed = useReplayed()
  const xs = boxes.map(({ x }) => x)
  const left = Math.min(...xs) - 20
  return (
    <>
      <svg className={styles.lines} style={{ transform: `translate(${left}px, 0)` }} aria-hidden>
        {lines.map((line) => (
          <path
            key={line.node.key}
            d={pathOf(line, left)}
            data-went={replayed && wentBy(line, replayed)}
          />
        ))}
      </svg>
      {lines.map((line) => {
        const { node, to, exit, isOfMany, from } = line
        const step = from.node?.kind === 'step' ? stepAt(draft, from.node.stepId) : undefined
        const way = step && exitsOf(step).find((one) => one.exit === exit)
        const label = isOfMany ? way?.label(say) : undefined
        return (
          <div key={node.key}>
            {label !== undefined && (
              <div
                dir={direction}
                className={styles.wayName}
                data-tone={way?.tone}
                style={{
                  transform: `translate(${centre(to)}px, ${to.y - 56}px) translate(-50%, 0)`,
                }}
              >
                {way?.tone && <Icon name={way.tone === 'ok' ? 'check' : 'close'} size={13} />}
                <bdi>{label}</bdi>
              </div>
            )}
            {mayEdit && !isLoose(node) && (
              <button
                type="button"
                tabIndex={-1}
                className={styles.plus}
                aria-label={t('add_here')}
                style={{
                  transform: `translate(${centre(to)}px, ${to.y - (isOfMany ? 22 : NODE.gap / 2)}px) translate(-50%, -50%)`,
                }}
                onClick={() => acts.add(node.place)}
              >
                <Icon name="plus" size={13} />
              </button>
            )}
          </div>
        )
      })}
    </>
  )
}

const isLoose = ({ place }: TreeNode) => place.exit.startsWith('loose:')

/** Returns a path that runs down from the middle, across with round corners, and down again. */
function pathOf({ from, to }: Line, left: number): string {
  const x1 = centre(from) - left
  const x2 = centre(to) - left
  const y1 = from.y + from.height
  const y2 = to.y
  if (Math.abs(x1 - x2) < 1) return `M${x1} ${y1}V${y2}`
  const y = y1 + 20
  const r = Math.min(8, Math.abs(x1 - x2) / 2)
  const d = Math.sign(x2 - x1) * r
  return `M${x1} ${y1}V${y - r}q0 ${r} ${d} ${r}H${x2 - d}q${d} 0 ${d} ${r}V${y2}`
}

function BoxNode({ data: { box } }: NodeProps<BoxData>) {
  const builder = useBuilderContext()
  const { direction } = useLanguage()
  const { selected, acts, worstAt, layout } = useContext(CanvasContext)!
  const { node } = box
  const key = keyOfBox(box)
  const step = node?.kind === 'step' ? stepAt(builder.draft, node.stepId) : undefined
  const isPill = node !== null && (step === undefined || isEnd(step))
  const run = useRunStateAt(box, layout)
  const worst = node === null || node.kind === 'step' ? worstAt(node && node.stepId) : null
  const isActive = selected === key
  const isFirst = node === null && !layout.boxes.some((one) => keyOfBox(one) === selected)
  const open = () => {
    if (node === null) acts.open(TRIGGER_KEY)
    else if (node.kind === 'step') acts.open(node.stepId)
    else if (node.kind === 'jump') acts.open(node.to)
    else acts.add(node.place)
  }
  return (
    <button
      type="button"
      dir={direction}
      data-key={key}
      data-active={isActive}
      data-pill={isPill}
      data-worst={worst}
      data-run={run?.tone}
      tabIndex={isActive || isFirst ? 0 : -1}
      aria-pressed={isActive}
      className={styles.node}
      onClick={open}
      onKeyDown={(event) => {
        if (!goTo(event, box, layout)) handleNodeKey(event, node, acts)
      }}
    >
      <NodeText node={node} isPill={isPill} />
      {run === null && node?.kind === 'step' && !isPill && <StepFigures stepId={node.stepId} />}
      {run?.mark && !isPill && <span className={styles.figures}>{run.mark}</span>}
      <WorstMark worst={worst} />
    </button>
  )
}

/**
 * Moves the focus by arrow keys: up and down a path, and across to the next visible branch. Returns whether the key was
 * one.
 */
function goTo(event: KeyboardEvent<HTMLElement>, box: Box, { lines }: Layout): boolean {
  const above = lines.find(({ to }) => to === box)
  const below = lines.filter(({ from }) => from === box).toSorted((a, b) => a.to.x - b.to.x)
  const siblings = lines
    .filter(({ from }) => from === above?.from)
    .toSorted((a, b) => a.to.x - b.to.x)
  const at = siblings.findIndex(({ to }) => to === box)
  const go: Record<string, Box | undefined> = {
    ArrowUp: above?.from,
    ArrowDown: below[Math.floor((below.length - 1) / 2)]?.to,
    ArrowLeft: siblings[at - 1]?.to,
    ArrowRight: siblings[at + 1]?.to,
  }
  if (!Object.hasOwn(go, event.key)) return false
  event.preventDefault()
  const target = go[event.key]
  if (!target) return true
  event.currentTarget
    .closest('.react-flow')
    ?.querySelector<HTMLElement>(`[data-key="${CSS.escape(keyOfBox(target))}"]`)
    ?.focus()
  return true
}
