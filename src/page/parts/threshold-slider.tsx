import { useId } from 'preact/hooks';

interface Props {
  readonly label: string;
  /** 0 to 1; null = not looked for. */
  readonly share: number | null;
  /** What a share means, as a sentence without its end. */
  readonly meaning: (share: number) => string;
  readonly onShare: (share: number | null) => void;
  /** What it is set to when it is switched on; without it, it cannot be switched off. */
  readonly whenOn?: number;
  readonly minimum?: number;
}

/** A threshold in steps of a percent that says what it means. */
export function ThresholdSlider({ label, share, meaning, onShare, whenOn, minimum = 0 }: Props) {
  const id = useId();
  const isOn = share !== null;
  return (
    <div class={isOn ? 'threshold' : 'threshold threshold-off'}>
      <div class="threshold-head">
        <label for={id}>{label}</label>
        {whenOn !== undefined && (
          <label class="switch">
            <input type="checkbox" checked={isOn} onChange={() => onShare(isOn ? null : whenOn)} />
            <span class="unseen">{label}: </span>look for it
          </label>
        )}
      </div>
      <input
        id={id}
        type="range"
        min={Math.round(minimum * 100)}
        max="100"
        step="1"
        disabled={!isOn}
        value={Math.round((share ?? whenOn ?? 0) * 100)}
        aria-valuetext={isOn ? meaning(share) : 'not looked for'}
        aria-describedby={`${id}-says`}
        onInput={(event) => onShare(Number(event.currentTarget.value) / 100)}
      />
      <p id={`${id}-says`} class="threshold-says">
        {isOn ? meaning(share) : 'not looked for'}
      </p>
    </div>
  );
}
