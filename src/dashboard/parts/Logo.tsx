/** The logo of the dashboard: the letter waw, which means "and". A letter is never mirrored. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden style={{ flexShrink: 0 }}>
      <clipPath id="mark-tile">
        <rect width="32" height="32" rx="8" />
      </clipPath>
      <rect width="32" height="32" rx="8" fill="var(--w-accent)" />
      <g
        clipPath="url(#mark-tile)"
        fill="none"
        stroke="var(--w-on-accent)"
        strokeWidth="3.5"
        strokeLinecap="round"
      >
        <circle cx="19.5" cy="12.2" r="5.2" />
        <path d="M24.7 12.2v1.6C24.7 20.6 18 23.2 8 23.2H-3" />
      </g>
    </svg>
  )
}
