#!/bin/sh
# Gets documentation that natural-set.ts makes a set of, by the package managers of this machine: javadoc of libraries in versions
# that were made by other releases of its generator, manuals of Debian, and manuals that are made here with several themes.
#
#     sh bench/content/natural-pages.sh FOLDER
#
# Needs mvn, unzip, apt-get and python3; takes some minutes. What cannot be had is left out.
set -u
folder=$(mkdir -p "$1/work" && cd "$1" && pwd)
cd "$folder/work" || exit 1

for artefact in \
  org.apache.commons:commons-lang3:3.4 org.apache.commons:commons-lang3:3.12.0 org.apache.commons:commons-lang3:3.14.0 \
  org.apache.commons:commons-lang3:3.18.0 commons-io:commons-io:2.4 commons-io:commons-io:2.8.0 commons-io:commons-io:2.15.1 \
  commons-io:commons-io:2.18.0 com.google.code.gson:gson:2.3 com.google.code.gson:gson:2.8.6 com.google.code.gson:gson:2.10.1 \
  com.google.guava:guava:19.0 com.google.guava:guava:28.0-jre com.google.guava:guava:33.0.0-jre org.jsoup:jsoup:1.8.3 \
  org.jsoup:jsoup:1.13.1 org.jsoup:jsoup:1.17.2 joda-time:joda-time:2.3 joda-time:joda-time:2.10.10 \
  joda-time:joda-time:2.12.7 org.slf4j:slf4j-api:1.7.25 org.slf4j:slf4j-api:2.0.13; do
  mvn -q -B dependency:copy -Dartifact="$artefact:jar:javadoc" -DoutputDirectory=jars || continue
  name=$(echo "$artefact" | cut -d: -f2) version=$(echo "$artefact" | cut -d: -f3)
  unzip -qo "jars/$name-$version-javadoc.jar" -d "$folder/$name@$version"
done

# package, project, folder of the pages in the package
while read -r package project pages; do
  apt-get download -q "$package" && dpkg-deb -x "$package"_*.deb "$package" && cp -r "$package/usr/share/$pages" "$folder/$project@debian"
done <<'PACKAGES'
libcommons-lang3-java-doc commons-lang3 doc/libcommons-lang3-java/api
python3.11-doc python doc/python3.11/html
python-django-doc django doc/python-django-doc/html
python-sqlalchemy-doc sqlalchemy doc/python-sqlalchemy-doc/html
git-doc git doc/git-doc
libeigen3-doc eigen doc/libeigen3-dev/html
libsfml-doc sfml doc/libsfml-dev/html
ffmpeg-doc ffmpeg doc/ffmpeg/api
wx3.2-doc wx doc/wx3.2-doc/html
qtbase5-doc-html qtcore qt5/doc/qtcore
apache2-doc apache doc/apache2-doc/manual/en
bind9-doc bind9 doc/bind9-doc/arm
libglib2.0-doc glib gtk-doc/html/glib
PACKAGES

python3 -m venv venv
venv/bin/pip install -q sphinx sphinx-rtd-theme furo pydata-sphinx-theme mkdocs mkdocs-material mkdocs-cinder flit_core hatchling setuptools
for project in jinja2 flask click werkzeug tornado; do
  venv/bin/pip download -q --no-deps --no-binary :all: --no-build-isolation -d sources "$project"
  tar xf sources/"$project"-*.tar.gz -C sources
  for theme in alabaster classic sphinx_rtd_theme furo pydata_sphinx_theme; do
    mkdir -p conf
    printf "project = '%s'\nhtml_theme = '%s'\nroot_doc = 'index'\nsuppress_warnings = ['*']\n" "$project" "$theme" > conf/conf.py
    venv/bin/sphinx-build -Q -b html -c conf sources/"$project"-*/docs "$folder/$project@$theme"
  done
done
for project in fastify undici pino; do
  npm pack --silent "$project" > /dev/null && mkdir -p "sources/$project" && tar xf "$project"-*.tgz -C "sources/$project"
  for theme in mkdocs readthedocs material cinder; do
    printf 'site_name: %s\ndocs_dir: %s\nsite_dir: %s\nuse_directory_urls: false\ntheme: { name: %s }\n' \
      "$project" "$PWD/sources/$project/package/docs" "$folder/$project@$theme" "$theme" > mkdocs.yml
    venv/bin/mkdocs build -q -f mkdocs.yml
  done
done
