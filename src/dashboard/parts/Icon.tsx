import { ICONS, type IconName } from './icons.ts'

/** One of our own icons, drawn at 16 by an outline of 1.75; `filled` ones are for states alone. */
export function Icon({
  name,
  size = 16,
  className,
  label,
}: {
  name: IconName
  size?: number
  className?: string | undefined
  /** What it says where no word stands beside it. */
  label?: string
}) {
  const { path, isFilled, turns } = ICONS[name]
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={isFilled ? 'currentColor' : 'none'}
      fillRule="evenodd"
      stroke={isFilled ? 'none' : 'currentColor'}
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={[turns ? 'flip' : '', className ?? ''].join(' ').trim() || undefined}
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined}
      style={{ flexShrink: 0 }}
    >
      <path d={path} />
    </svg>
  )
}
