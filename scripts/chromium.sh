#!/bin/sh
# Installs Chromium with the system's package manager, if there is none yet and it can; never fails.
for name in chromium chromium-browser google-chrome; do
  command -v "$name" >/dev/null 2>&1 && exit 0
done
[ -n "$PLENIPO_BROWSER" ] && exit 0
command -v apt-get >/dev/null 2>&1 || { echo 'No Chromium here: the tests of the pages are skipped.'; exit 0; }
as_root=''
[ "$(id -u)" = 0 ] || as_root='sudo -n'
echo 'Installing Chromium for the tests of the pages (once).'
export DEBIAN_FRONTEND=noninteractive
{ $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 ||
  echo 'Chromium could not be installed: the tests of the pages are skipped.'
