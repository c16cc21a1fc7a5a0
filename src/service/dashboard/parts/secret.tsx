export interface SecretProps {
  readonly label: string;
  readonly text: string;
  /** Where it belongs and that it is never shown again. */
  readonly hint: string;
}

/** A key or a secret, on the one page that ever shows it. */
export function Secret({ label, text, hint }: SecretProps) {
  return (
    <div class="secret">
      <label for="secret">{label}</label>
      <div class="row">
        <input id="secret" type="text" value={text} readonly aria-describedby="secret-hint" spellcheck={false} />
        <button type="button" class="quiet" data-copy="secret" hidden>
          Copy
        </button>
      </div>
      <p class="hint" id="secret-hint">
        {hint}
      </p>
    </div>
  );
}
