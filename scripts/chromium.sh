#!/bin/sh
# Installs Chromium and its headless build with the system's package manager, as far as it can; never fails.
# The headless build has no windows of its own: the tests of the pages take a third less processor time in it.
[ -n "$PLENIPO_BROWSER" ] && exit 0
command -v chromium-headless-shell >/dev/null 2>&1 && headless=yes
for name in chromium chromium-browser google-chrome; do
  command -v "$name" >/dev/null 2>&1 && whole=yes
done
[ "$headless$whole" = yesyes ] && exit 0
as_root=''
[ "$(id -u)" = 0 ] || as_root='sudo -n'
export DEBIAN_FRONTEND=noninteractive
install() { $as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1; }
[ -n "$whole" ] && { install chromium-headless-shell; exit 0; }
command -v apt-get >/dev/null 2>&1 || { echo 'No Chromium here: the tests of the pages are skipped.'; exit 0; }
echo 'Installing Chromium for the tests of the pages (once).'
{ $as_root apt-get update -qq >/dev/null 2>&1 && { install chromium chromium-headless-shell || install chromium; }; } ||
  echo 'Chromium could not be installed: the tests of the pages are skipped.'
