// The refusals sentences in German; en/refusals.ts says what each is for.
import type { refusals as english } from '../en/refusals.ts';

export const refusals: Record<keyof typeof english, string> = {
  'not-connected':
    'Dein Konto hier ist noch nicht mit Ampersat verbunden, deshalb gibt es nichts zu zeigen oder auszugeben. Schick mir /connect in unserem privaten Chat{$chat}: Mehr als eine Wallet brauchst du nicht.',
  'not-understood': 'Das habe ich nicht verstanden. Versuch „/tip @name 5“ oder /help. Unser privater Chat: @{$bot}.',

  'refusal-sender_receive_only':
    'Dein Konto hier kann empfangen, aber noch nichts ausgeben: Deine Wallet hat das noch nicht erlaubt. Es wurde nichts abgebucht. Wähl auf der Seite unten, was ich ausgeben darf.',
  'refusal-sender_disconnected':
    'Dein Konto wurde getrennt oder darf jetzt nur noch empfangen, deshalb wurde das nicht gesendet. Es wurde nichts abgebucht.',
  'refusal-sender_no_wallet': 'Dein Konto hat für diese Chain noch keine Wallet. Es wurde nichts abgebucht.',
  'refusal-sender_not_on_chain':
    'Deine Wallet ist ein Vertrag und hat sich nur auf {$where} ausgewiesen, deshalb gebe ich von ihrer Adresse auf {$chain} nichts aus. Es wurde nichts abgebucht. Lass die Chain weg oder nenn eine von diesen.',
  'refusal-sender_paused':
    'Deine Ausgaben sind angehalten, deshalb wurde nichts abgebucht. Nur deine Wallet kann sie wieder freigeben.',
  'refusal-expired':
    'Das hat zu lange gedauert und wurde nicht gesendet. Es wurde nichts abgebucht; schreib es noch einmal.',
  'refusal-price_stale':
    'Ich habe gerade keinen frischen Preis dafür, und ich rate nicht. Es wurde nichts abgebucht; versuch es mit USDC oder in ein paar Minuten noch einmal.',
  'refusal-router_paused': 'Zahlungen ruhen im Moment. Es wurde nichts abgebucht; versuch es später noch einmal.',
  'refusal-recipient_unknown':
    '{$label} kenne ich noch nicht: Niemand mit diesem Namen hat dort geschrieben, wo ich bin. Dafür wurde nichts abgebucht. Du kannst es auf einer Seite für diesen Namen aufheben, oder antworte auf eine Nachricht der Person mit /tip und einem Betrag.',
  'refusal-recipient_bot': '{$label} ist ein Bot; Bots kann man nichts geben.',
  'refusal-handle_not_found': '{$label} gibt es nicht. Prüf die Schreibweise.',
  'refusal-recipient_no_wallet': '{$label} hat für diese Chain noch keine Wallet. Dafür wurde nichts abgebucht.',
  'refusal-recipient_not_on_chain':
    '{$label} kann nur auf {$where} bezahlt werden, deshalb ging auf {$chain} nichts raus, und es wurde nichts abgebucht. Lass die Chain weg oder nenn diese.',
  'refusal-recipient_contract':
    '{$label} ist ein Vertrag, aus dem nichts wieder herauskommt, deshalb sende ich nichts dorthin. Prüf die Adresse.',
  'refusal-recipient_twice': '{$label} hast du schon genannt; das zählt nur einmal.',
  'refusal-recipient_self': '{$label} bist du: Dir selbst kannst du nichts geben.',
  'refusal-chain_not_served': '{$chain} ist hier gerade nicht verfügbar. Lass die Chain weg oder nenn eine andere.',
  'refusal-asset_not_on_chain': '{$asset} gibt es auf {$chain} nicht. Lass die Chain weg oder nenn eine andere.',
  'refusal-amount_too_small': 'Das ist zu wenig: Es müssen mindestens {$least} {$asset} sein.',
  'refusal-tab_too_small':
    'Das ist zu wenig für jemanden, der noch neu ist: Auf {$label} müssen mindestens {$least} USD warten. Dafür wurde nichts abgebucht.',
  'refusal-command_cap':
    'Das sind {$total} USD mit Gebühr; deine Obergrenze pro Befehl ist {$cap} USD. Es wurde nichts abgebucht. Gib weniger.',
  'refusal-server_cap':
    'Das sind {$total} USD mit Gebühr; die Admins dieses Servers erlauben {$cap} USD pro Befehl. Es wurde nichts abgebucht. Gib weniger.',
  'refusal-day_cap':
    'Das sind {$total} USD mit Gebühr, und von deinen {$cap} USD für 24 Stunden sind noch {$left} USD übrig. Es wurde nichts abgebucht. Gib weniger, oder später.',
  'refusal-balance_low':
    'Dein Guthaben auf {$chain} beträgt {$have} {$asset}; hierfür brauchst du {$need} mit Gebühr. Lade auf oder gib weniger.',
  'refusal-allowance_low':
    'Deine Wallet lässt mich auf {$chain} noch {$have} {$asset} ausgeben; hierfür brauchst du {$need} mit Gebühr. Erhöh den Rahmen mit deiner Wallet oder gib weniger.',
  'refusal-limit_per_tip':
    'Deine Wallet erlaubt auf {$chain} höchstens {$limit} {$asset} auf einmal; hierfür brauchst du {$need} mit Gebühr. Gib weniger oder erhöh die Grenze mit deiner Wallet.',
  'refusal-limit_per_day':
    'Von deiner Grenze für 24 Stunden auf {$chain} sind noch {$limit} {$asset} übrig; hierfür brauchst du {$need} mit Gebühr. Gib weniger, oder später.',
  'refusal-limit_fee':
    'Die Gebühr von {$need} {$asset} liegt über den {$limit}, die deine Wallet auf {$chain} erlaubt. Es wurde nichts abgebucht.',
  'refusal-token_refused': 'Der Token auf {$chain} hat die Zahlung abgelehnt („{$text}“). Es wurde nichts abgebucht.',
  'refusal-chain_refused':
    'Die Zahlung wurde auf {$chain} abgelehnt ({$reason}). Es wurde nichts abgebucht. Schau in unserem privaten Chat{$chat} nach /limits.',

  'error-rate_limited': 'Das waren deine fünf Zahlungen für diese Stunde. Die nächste geht {$when}.',
  'error-links_limited': 'Das waren viele Links für eine Stunde. Den nächsten bekommst du {$when}.',
  'in-minutes': `{$minutes ->
    [one] in einer Minute
   *[other] in {$minutes} Minuten
  }`,
  'in-hours': `{$hours ->
    [one] in einer Stunde
   *[other] in {$hours} Stunden
  }`,
  'error-server_off':
    'Die Admins dieses Servers haben Zahlungen hier ausgeschaltet. Es wurde nichts abgebucht. In unserem privaten Chat geht es.',
  'error-server_channel': 'Auf diesem Server wird nur in {$where} gezahlt. Es wurde nichts abgebucht.',
  'error-too_old':
    'Diese Nachricht kam mehr als 10 Minuten zu spät an, deshalb habe ich nichts getan. Schreib sie noch einmal, wenn du noch willst.',
  'error-amount_missing': 'Wie viel? Versuch „/tip @name 5“.',
  'error-amount_invalid': 'Ich konnte den Betrag nicht lesen. Nimm einfache Ziffern, wie 5 oder 2.50.',
  'error-amount_ambiguous':
    'Ich kann den Betrag auf zwei Arten lesen. Schreib „1000“ für tausend oder „1.0“ für eins, und „for“ vor eine Notiz.',
  'error-amount_zero': 'Null bewegt nichts. Das Wenigste ist 0.01.',
  'error-amount_too_small': 'Das ist zu wenig: Es müssen mindestens 0.01 USD sein.',
  'error-amount_too_large': 'Das ist mehr, als ich senden kann.',
  'error-too_many_decimals': 'Das sind mehr Nachkommastellen, als diese Währung hat. USDC hat sechs.',
  'error-recipient_missing':
    'Wer bekommt es? Nenn jemanden, wie „/tip @name 5“, oder antworte auf eine Nachricht mit „/tip 5“.',
  'error-recipient_invalid':
    'Ich konnte nicht erkennen, wer es bekommt. Nenn die Person mit @, oder antworte auf eine ihrer Nachrichten.',
  'error-recipient_self': 'Dir selbst kannst du nichts geben.',
  'error-recipient_bot': 'Bots kann man nichts geben.',
  'error-too_many_recipients':
    'Das sind zu viele Leute für einen Befehl: höchstens 20, auf X 10, und bei „send“ einer.',
  'error-mass_mention': 'Ich gebe nicht allen auf einmal etwas. Nenn die Leute beim Namen.',
  'error-role_recipient': 'Einer Rolle kann man nichts geben. Nenn die Leute beim Namen.',
  'error-multiple_commands': 'Bitte nur ein Befehl pro Nachricht. Es wurde nichts abgebucht.',
  'error-unsupported_token':
    'Diesen Token kenne ich nicht. Ich kann USDC senden und die eigenen Münzen der Chains: ETH, BNB, CELO.',
  'error-unsupported_currency': 'Ich rechne nur in US-Dollar. Schreib den Betrag in USD oder USDC.',
  'error-unsupported_chain': 'Diese Chain kenne ich nicht. Ich kenne Base, BSC, Ink, Celo und Solana.',
  'error-address_checksum': 'In dieser Adresse ist ein Tippfehler. Kopier sie noch einmal.',
  'error-split_mismatch': 'Die Teile ergeben zusammen nicht das Ganze. Es wurde nichts abgebucht.',
  'error-suspicious_unicode': 'In dieser Nachricht stecken unsichtbare Zeichen. Tipp sie von Hand.',
  'error-pending_limited':
    'Für jemanden, der noch nicht verbunden ist, merke ich mir eine Zahlung am Tag. Verbinde dich hier mit /connect, oder versuch es {$when} noch einmal. Es wurde nichts abgebucht.',
};
